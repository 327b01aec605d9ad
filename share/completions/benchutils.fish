# SPDX-License-Identifier: GPL-3.0-or-later
# Completion of the programs of benchutils for fish: source this file. Options and verbs come from the
# program itself (--list-options).

# Prints the names that the argument of an option can have: kernels, models, backends, or the values that the
# program prints for the option and the files on the command line. Fails for other options.
#     __benchutils_names PROGRAM ARGUMENT OPTION
function __benchutils_names
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
    test -n "$names"; and printf '%s\n' $names
end

# Prints what the word at the cursor can be, other than an option: the names that the argument of an option can
# have, with what was typed before the last comma; a verb; or the words of a command. Returns 0 if it can be
# nothing else, 1 if it can also be a file, and 2 if it can be a file or an option.
function __benchutils_words
    set -l typed (commandline -opc)
    set -l word (commandline -ct)
    set -l option $typed[-1]
    set -l before
    set -l verbs
    set -l with_argument
    if string match -q -- '--*=*' $word
        set option (string replace -r '=.*' '' -- $word)
        set before "$option="
        set word (string replace -r '^[^=]*=' '' -- $word)
    end
    for line in ($argv[1] --list-options 2>/dev/null)
        set -l field (string split \t -- $line)
        if test $field[1] = verb
            set -a verbs $field[2]
        else if test -n "$field[3]"
            set -a with_argument $field[1..2]
            contains -- $option $field[1..2]; or continue
            set -l names (__benchutils_names $argv[1] $field[3] $field[2])
            or return 1
            set -l listed (string match -r '.*,' -- $word)
            printf '%s\n' "$before$listed"$names
            not string match -q 'MODEL*' -- $field[3]
            return
        end
    end
    string match -q -- '-*' $word; and return 2
    if contains -- $argv[1] bench-run bench-prof
        __fish_complete_subcommand $with_argument
        return 0
    end
    test -n "$verbs"; or return 2
    for verb in $verbs
        contains -- $verb $typed; and return 2
    end
    printf '%s\n' $verbs
end

# Succeeds if the word at the cursor cannot be a file.
function __benchutils_no_file
    __benchutils_words $argv[1] >/dev/null
end

# Prints what the word at the cursor can be, other than a file: lines "--name<TAB>help" for options.
function __benchutils
    __benchutils_words $argv[1]
    test $status -eq 2; or return
    for line in ($argv[1] --list-options 2>/dev/null)
        set -l field (string split \t -- $line)
        test $field[1] = verb; and continue
        for name in $field[1..2]
            test -n "$name"; and printf '%s\t%s\n' $name $field[4]
        end
    end
end

for program in bench-compare bench-convert bench-env bench-list bench-plot bench-prof bench-report bench-run bench-stat bench-store
    complete -c $program -n "__benchutils_no_file $program" -f
    complete -c $program -a "(__benchutils $program)"
end
