# SPDX-License-Identifier: GPL-3.0-or-later
# Completion of the programs of benchutils for fish: source this file. Options and verbs come from the
# program itself (--list-options).

# Completes names, separated by commas, if the argument of the option has names: kernels, models, backends,
# or the values that the program prints for the option and the files on the command line. Fails for other
# options.
function __benchutils_names
    set -l before (string match -r '.*,' -- (commandline -ct))
    set -l column 2
    set -l names
    switch $argv[2]
        case 'KERNEL*'
            set -f listed kernels
        case 'MODEL*'
            set -f listed models
        case 'BACKEND*'
            set -f listed backends
            set column 1
    end
    if set -q listed
        set names (bench-list --csv $listed 2>/dev/null | sed 1d | cut -d, -f$column)
    else
        set -l files
        for word in (commandline -o)[2..-1]
            test -f "$word"; and set -a files $word
        end
        set names ($argv[1] --list-options (string sub -s 3 -- $argv[3]) $files 2>/dev/null)
    end
    test -n "$names"; or return 1
    for name in $names
        echo "$before$name"
    end
end

# Prints a line "--name<TAB>help" for each option, and one for each verb unless one was typed.
function __benchutils
    set -l typed (commandline -opc)
    set -l verbs
    set -l options
    for line in ($argv[1] --list-options 2>/dev/null)
        set -l field (string split \t -- $line)
        if test $field[1] = verb
            set -a verbs $field[2]
            continue
        end
        if test -n "$field[3]"; and contains -- $typed[-1] $field[1..2]
            and __benchutils_names $argv[1] $field[3] $field[2]
            return
        end
        for name in $field[1..2]
            test -n "$name"; and set -a options $name\t$field[4]
        end
    end
    printf '%s\n' $options
    for verb in $verbs
        contains -- $verb $typed; and return
    end
    test -n "$verbs"; and printf '%s\n' $verbs
    return 0
end

for program in bench-compare bench-convert bench-env bench-list bench-plot bench-prof bench-report bench-run bench-stat bench-store
    complete -c $program -a "(__benchutils $program)"
end
