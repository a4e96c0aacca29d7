# Completion of taskinstr for fish, in ~/.config/fish/completions/taskinstr.fish:
# taskinstr completion fish >~/.config/fish/completions/taskinstr.fish
complete -c taskinstr -a '(taskinstr complete fish (commandline -cp) 2>/dev/null)'
