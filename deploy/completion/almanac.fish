# Completion of the program almanac in fish. The program itself lists the candidates.
# Copy this file to /usr/share/fish/vendor_completions.d/almanac.fish, or to ~/.config/fish/completions.

function __almanac_complete
    set -l words (commandline -opc)
    set -l typed (commandline -ct)
    for line in ($words[1] complete $words[2..] "$typed" 2>/dev/null)
        if test "$line" = :file
            __fish_complete_path "$typed"
        else
            echo $line
        end
    end
end

complete -c almanac -f -a '(__almanac_complete)'
