# Completion of taskinstr for bash. In ~/.bashrc: source <(taskinstr completion bash)
_taskinstr() {
	local IFS=$'\n'
	COMPREPLY=($(taskinstr complete bash "${COMP_LINE:0:COMP_POINT}" 2>/dev/null))
	if [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]]; then
		compopt -o nospace 2>/dev/null
	fi
}
complete -o default -F _taskinstr taskinstr
