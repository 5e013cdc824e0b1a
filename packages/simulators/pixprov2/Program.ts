import { pixProgram } from "../pix/PixProgram.ts"
import { startPixprov2 } from "./Simulator.ts"

/** The simulated Pix provider 2, with the product's own account. */
export const pixprov2 = pixProgram(startPixprov2, () => ({
  key: process.env.CARTEIRO_PIXPROV2_PLATFORM_API_KEY || "demo",
  webhook_secret: process.env.CARTEIRO_PIXPROV2_PLATFORM_WEBHOOK_SECRET || "demo"
}))
