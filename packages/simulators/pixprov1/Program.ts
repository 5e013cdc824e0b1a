import { pixProgram } from "../pix/PixProgram.ts"
import { startPixprov1 } from "./Simulator.ts"

/** The simulated Pix provider 1. */
export const pixprov1 = pixProgram(startPixprov1)
