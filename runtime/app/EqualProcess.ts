import { readSupervised } from "../boot/processes/Supervised.ts"
import { run } from "./Start.ts"

// One of the equal processes of CARTEIRO_PROCESSES. Its supervisor starts it with its number.

run(readSupervised(process.argv.slice(2)))
