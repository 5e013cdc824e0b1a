import { parseArgs } from "node:util"
import { type Program, vendorClock } from "../kit/Lifetime.ts"
import { startOpenAi } from "./Simulator.ts"

const usage = `[--port 0] [--role speechprov1]
  --role   speechprov1, speechprov2 or speechprov3: which key the product has for it
  CARTEIRO_SPEECHPROV1_API_KEY (2, 3)   as the product has it
`

const variables: Readonly<Record<string, string>> = {
  speechprov1: "CARTEIRO_SPEECHPROV1_API_KEY",
  speechprov2: "CARTEIRO_SPEECHPROV2_API_KEY",
  speechprov3: "CARTEIRO_SPEECHPROV3_API_KEY"
}

/** The simulated OpenAI account. */
export const openai: Program = {
  usage,
  start: async (words) => {
    const { values } = parseArgs({
      args: [...words],
      options: { port: { type: "string", default: "0" }, role: { type: "string", default: "speechprov1" } }
    })
    const variable = variables[values.role]
    if (variable === undefined) throw new Error(`--role: expected speechprov1, 2 or 3, not ${values.role}`)
    const apiKey = process.env[variable] || "demo"
    const simulator = await startOpenAi({ apiKey, now: vendorClock }, Number(values.port))
    return { url: simulator.url, receive: () => {}, stop: () => simulator.close() }
  }
}
