import { runPix } from "../pix/PixProgram.ts"
import { startPixprov1 } from "./Simulator.ts"

// The simulated Pix provider 1 in a process of its own.

await runPix("pixprov1", startPixprov1)
