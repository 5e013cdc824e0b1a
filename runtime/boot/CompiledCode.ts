import { enableCompileCache, flushCompileCache } from "node:module"
import { fileURLToPath } from "node:url"

/** Beside the code itself: who can write there could as well change the code. */
const folder = fileURLToPath(new URL("../../node_modules/.cache/carteiro-compiled", import.meta.url))

/**
 * Keeps modules that are loaded from now on, here and in the processes that this one starts, as compiled code for the
 * next start. NODE_COMPILE_CACHE names another folder, NODE_DISABLE_COMPILE_CACHE=1 keeps nothing, and in a folder that
 * cannot be written nothing is kept either.
 */
export const keepCompiledCode = (): void => {
  process.env.NODE_COMPILE_CACHE ||= folder
  enableCompileCache(process.env.NODE_COMPILE_CACHE)
}

/**
 * Gives back the compiled code of modules that are loaded: until it is written, Node.js holds it once more than the
 * engine does, 1 MB for a hundred modules. Called while a process loads, since memory that is given back late lies
 * between what stays, where the system does not get it.
 */
export const letGoOfCompiledCode = (): void => flushCompileCache()
