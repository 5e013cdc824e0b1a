import { cardproc } from "./cardproc/Program.ts"
import { elevenlabs } from "./elevenlabs/Program.ts"
import type { Hosted, Program } from "./kit/Lifetime.ts"
import { recordOf } from "./kit/Routes.ts"
import { mercadopago } from "./mercadopago/Program.ts"
import { numprov } from "./numprov/Program.ts"
import { openai } from "./openai/Program.ts"
import { pixApi } from "./pix-api/Program.ts"
import { pixprov1 } from "./pixprov1/Program.ts"
import { pixprov2 } from "./pixprov2/Program.ts"
import { speechprov } from "./speechprov/Program.ts"
import { stripe } from "./stripe/Program.ts"
import { telnyx } from "./telnyx/Program.ts"
import { upstream } from "./upstream/Program.ts"

// Simulated vendors in one process of their own: each begins with its name on the command line. The process prints
// `ready` with their addresses in that order, and before it a line `facts` for each that others have to know more of: its
// number in that order, and JSON. Credentials come from the product's own variables, so that both agree.

const programs: Readonly<Record<string, Program>> = {
  upstream,
  numprov,
  cardproc,
  speechprov,
  pixprov1,
  pixprov2,
  mercadopago,
  "pix-api": pixApi,
  telnyx,
  stripe,
  openai,
  elevenlabs
}

const usage = `Usage: node packages/simulators/main.ts <vendor> [options] [<vendor> [options]]...

${Object.entries(programs)
  .map(([name, program]) => `${name} ${program.usage}`)
  .join("\n")}`

/** Returns the command line, split before each vendor's name. */
const asked = (words: ReadonlyArray<string>): ReadonlyArray<readonly [Program, ReadonlyArray<string>]> => {
  const parts: Array<readonly [Program, Array<string>]> = []
  for (const word of words) {
    const program = Object.hasOwn(programs, word) ? programs[word] : undefined
    if (program !== undefined) parts.push([program, []])
    else parts.at(-1)?.[1].push(word)
  }
  return parts
}

/** Ends the process with its parent, however the parent ends: the channel between them closes then. */
const live = (hosted: ReadonlyArray<Hosted>): void => {
  for (const [at, { facts }] of hosted.entries()) {
    if (facts !== undefined) process.stdout.write(`facts ${at} ${JSON.stringify(facts)}\n`)
  }
  process.stdout.write(`ready ${hosted.map(({ url }) => url).join(" ")}\n`)
  const end = () => {
    void Promise.all(hosted.map(({ stop }) => stop())).then(() => process.exit(0))
  }
  process.once("SIGTERM", end)
  process.once("SIGINT", end)
  if (process.send === undefined) return
  process.once("disconnect", end)
  process.on("message", (message) => {
    const { message: settings, to } = recordOf(message)
    hosted[Number(to)]?.receive(settings)
  })
}

const words = process.argv.slice(2)
const parts = asked(words)
if (parts.length === 0 || words.some((word) => word === "--help" || word === "-h")) {
  process.stdout.write(usage)
  process.exitCode = parts.length === 0 && words.length > 0 && !words.includes("--help") ? 1 : 0
} else {
  live(await Promise.all(parts.map(([program, options]) => program.start(options))))
}
