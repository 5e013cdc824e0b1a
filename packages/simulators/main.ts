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

const usage = `Usage: node packages/simulators/main.ts [--or-free-ports] <vendor> [options] [<vendor> [options]]...

  --or-free-ports   before the first vendor: a port that is taken gives way to a free one

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

/** Starts a vendor; with `orFree` at a free port in place of each that is taken. */
const startAt = (program: Program, options: ReadonlyArray<string>, orFree: boolean): Promise<Hosted> =>
  program.start(options).catch((error: NodeJS.ErrnoException & { readonly port?: number }) => {
    const free = options.map((word, at) =>
      word === String(error.port) && options[at - 1]?.endsWith("port") === true ? "0" : word
    )
    if (!orFree || error.code !== "EADDRINUSE" || free.join(" ") === options.join(" ")) throw error
    return startAt(program, free, orFree)
  })

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
  const orFree = words[0] === "--or-free-ports"
  live(await Promise.all(parts.map(([program, options]) => startAt(program, options, orFree))))
}
