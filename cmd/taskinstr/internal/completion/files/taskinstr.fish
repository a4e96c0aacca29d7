# Completion of taskinstr for fish, in ~/.config/fish/completions/taskinstr.fish:
# taskinstr completion fish >~/.config/fish/completions/taskinstr.fish
function __taskinstr_complete
	set -l found (taskinstr complete fish (commandline -cp) 2>/dev/null)
	if set -q found[1]
		printf '%s\n' $found
	else
		__fish_complete_path (commandline -ct)
	end
end
complete -c taskinstr -f -a '(__taskinstr_complete)'
