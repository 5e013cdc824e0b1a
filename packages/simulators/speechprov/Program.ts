import { parseArgs } from "node:util"
import { type Program, vendorClock } from "../kit/Lifetime.ts"
import { startSpeechprov } from "./Simulator.ts"

const usage = `[--vendor 1] [--port 0] [--work-ms 1000]
  --vendor    1 speaks at once and also transcribes, 2 is polled, 3 redirects to a signed URL
  --work-ms   milliseconds that a text of vendor 2 or a transcription takes
  CARTEIRO_SPEECHPROV1_API_KEY (2, 3)   as the product has it
`

const variables = {
  1: "CARTEIRO_SPEECHPROV1_API_KEY",
  2: "CARTEIRO_SPEECHPROV2_API_KEY",
  3: "CARTEIRO_SPEECHPROV3_API_KEY"
}

/** A simulated vendor of speech. */
export const speechprov: Program = {
  usage,
  start: async (words) => {
    const { values } = parseArgs({
      args: [...words],
      options: {
        vendor: { type: "string", default: "1" },
        port: { type: "string", default: "0" },
        "work-ms": { type: "string", default: "1000" }
      }
    })
    const vendor = ([1, 2, 3] as const).find((one) => String(one) === values.vendor)
    if (vendor === undefined) throw new Error(`--vendor: expected 1, 2 or 3, not ${values.vendor}`)
    const simulator = await startSpeechprov(
      {
        vendor,
        apiKey: process.env[variables[vendor]] || "demo",
        now: vendorClock,
        workMs: Number(values["work-ms"])
      },
      Number(values.port)
    )
    return { url: simulator.url, receive: () => {}, stop: () => simulator.close() }
  }
}
