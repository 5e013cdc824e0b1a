import { runPix } from "../pix/PixProgram.ts"
import { startPixprov2 } from "./Simulator.ts"

// The simulated Pix provider 2 in a process of its own. It takes the product's own credentials from the variables that the
// product takes them from, so that both agree.

await runPix("pixprov2", startPixprov2, {
  key: process.env.CARTEIRO_PIXPROV2_PLATFORM_API_KEY || "demo",
  webhook_secret: process.env.CARTEIRO_PIXPROV2_PLATFORM_WEBHOOK_SECRET || "demo"
})
