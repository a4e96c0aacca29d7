package option

// ReuseVar is the environment variable that names the folder of stored compilations, which must
// exist. Toolexec reads it; tests set it.
const ReuseVar = "TASKINSTR_REUSE"
