# Completion of the programs of benchutils for fish: source this file. Options and verbs are
# asked of the program itself.

# A line for each option as "--name<TAB>help", and for each verb unless one was typed.
function __benchutils
    set -l typed (commandline -opc)
    set -l verbs
    for line in ($argv[1] --list-options 2>/dev/null)
        set -l field (string split \t -- $line)
        if test $field[1] = verb
            set -a verbs $field[2]
            continue
        end
        test -n "$field[1]"; and printf '%s\t%s\n' $field[1] $field[4]
        printf '%s\t%s\n' $field[2] $field[4]
    end
    for verb in $verbs
        contains -- $verb $typed; and return
    end
    test -n "$verbs"; and printf '%s\n' $verbs
    return 0
end

for program in bench-compare bench-env bench-list bench-plot bench-prof bench-run bench-stat bench-store
    complete -c $program -a "(__benchutils $program)"
end
