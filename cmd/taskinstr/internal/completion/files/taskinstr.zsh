#compdef taskinstr
# Completion of taskinstr for zsh. In ~/.zshrc, behind compinit: source <(taskinstr completion zsh)
_taskinstr() {
	local -a found open
	found=(${(f)"$(taskinstr complete zsh "${(pj: :)words[1,CURRENT]}" 2>/dev/null)"})
	open=(${(M)found:#*=})
	found=(${found:#*=})
	(( $#open )) && compadd -S '' -- $open
	(( $#found )) && compadd -- $found
	(( $#open + $#found )) || _files
}
compdef _taskinstr taskinstr
