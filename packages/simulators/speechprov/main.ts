import { parseArgs } from "node:util"
import { live, vendorClock } from "../kit/Lifetime.ts"
import { startSpeechprov } from "./Simulator.ts"

// A simulated vendor of speech in a process of its own. It takes its key from the variable that the product takes it from,
// so that both agree.

const usage = `Usage: node packages/simulators/speechprov/main.ts [--vendor 1] [--port 0] [--work-ms 1000]

  --vendor    1 answers at once and writes down, 2 is asked how far it is, 3 redirects to a signed URL
  --work-ms   how long a text of vendor 2 and a recording take
  CARTEIRO_SPEECHPROV1_API_KEY (2, 3)   as the product has it
`

const { values } = parseArgs({
  options: {
    vendor: { type: "string", default: "1" },
    port: { type: "string", default: "0" },
    "work-ms": { type: "string", default: "1000" },
    help: { type: "boolean", short: "h" }
  }
})
const vendor = ([1, 2, 3] as const).find((one) => String(one) === values.vendor)
if (values.help || vendor === undefined) {
  process.stdout.write(usage)
  process.exit(values.help ? 0 : 1)
}

const variables = {
  1: "CARTEIRO_SPEECHPROV1_API_KEY",
  2: "CARTEIRO_SPEECHPROV2_API_KEY",
  3: "CARTEIRO_SPEECHPROV3_API_KEY"
}

const simulator = await startSpeechprov(
  {
    vendor,
    apiKey: process.env[variables[vendor]] || "demo",
    now: vendorClock,
    workMs: Number(values["work-ms"])
  },
  Number(values.port)
)

live(simulator.url, { told: () => {}, stop: () => simulator.close() })
