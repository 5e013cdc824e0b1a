import { randomBytes } from "node:crypto"
import { Ids } from "@carteiro/owners/Ids.ts"
import { Secrets } from "@carteiro/secrets/Secrets.ts"
import { Effect, Layer, Redacted } from "effect"
import { filtersIn, linksIn, patternOf } from "../../support/ConsolePages.ts"
import { CookieJar } from "../../support/CookieJar.ts"
import { Bench } from "../Bench.ts"
import { BenchFailure } from "../BenchFailure.ts"
import { fill, sizes } from "../ConsoleRows.ts"
import { cpuSeconds } from "../Processes.ts"
import { type Product, startProduct } from "../Product.ts"
import { grouped, limit } from "../Report.ts"
import { rest } from "../Rounds.ts"
import { recipient } from "../Sends.ts"
import type { Workload } from "./Workload.ts"

/** Processor milliseconds of one answer, of the product and of PostgreSQL together. */
const barMs = 100
/** Those of a file, which holds up to 10,000 rows. */
const fileBarMs = 500
/** An answer that asks for patience is waited for so often before the run ends. */
const mostTries = 5
/** A page is answered so often for one measurement, as the system counts hundredths of a second. */
const answersOfOne = 10
/** Pages that are told by name, dearest first. */
const shown = 20

/** A person signed in to the console by the link of dev.json. */
const signIn = Effect.fnUntraced(function* ({ dev, output, url }: Product) {
  const refused: Array<string> = []
  const cookies = new CookieJar()
  const ask = (address: string, form?: URLSearchParams) =>
    Effect.tryPromise({
      try: async () => {
        const path = new URL(address, url)
        const headers = { cookie: cookies.header(path.pathname) ?? "", "accept-language": "en" }
        const method = form === undefined ? "GET" : "POST"
        const answer = await fetch(path, { method, headers, redirect: "manual", ...(form && { body: form }) })
        for (const cookie of answer.headers.getSetCookie()) cookies.take(cookie, path.pathname)
        return {
          status: answer.status,
          text: await answer.text(),
          leads: answer.headers.get("location") ?? "",
          waitMs: 1000 * Number(answer.headers.get("retry-after") ?? 1)
        }
      },
      catch: (error) => new BenchFailure({ message: `${address}: ${String(error)}` })
    })
  const { text } = yield* ask(dev.dashboard.sign_in_url ?? "")
  const hidden = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? ""
  yield* ask("/dashboard/sign-in", new URLSearchParams({ csrf: hidden("csrf"), token: hidden("token") }))
  const open = Effect.fnUntraced(function* (address: string) {
    for (let tried = 1; ; tried++) {
      const { leads, status, text, waitMs } = yield* ask(address)
      // A filter that takes no such value says so on the page, and a search that hits exactly leads to what it found.
      if (status === 200 || status === 400) return text
      if (status === 303 && !leads.includes("sign-in")) return text
      const why = failuresIn(output()).at(-1) ?? text.slice(0, 400)
      if (status !== 503 || tried === mostTries) {
        return yield* new BenchFailure({ message: `${address}: ${status} ${why}` })
      }
      refused.push(`${withoutIds(address)}: ${why}`)
      yield* Effect.sleep(waitMs)
    }
  })
  return { open, refused }
})

/** Returns the failures that a process wrote to its log, each in one short line. */
const failuresIn = (output: string): ReadonlyArray<string> =>
  output
    .split("\n")
    .filter((line) => line.includes('"level":"error"'))
    .map((line) => line.slice(0, 400))

/** Values for a filter that is typed: one that some rows have where there is one, and one that none has. */
const typed: Readonly<Record<string, ReadonlyArray<string>>> = {
  recipient: [recipient(7), "+5511900000000"],
  phone: [recipient(7), "+5511900000000"],
  customer: [recipient(7), "+5511900000000"],
  template_name: ["welcome", "no_such_template"],
  created_after: ["2026-01-01"],
  created_before: ["2026-01-01"]
}

/** The addresses of a list: as it opens, its second page, and narrowed by each value of each filter. */
const narrowed = (address: string, page: string): ReadonlyArray<string> => {
  const older = linksIn(page).filter((link) => patternOf(link) === patternOf(address) && link.includes("before="))
  const filtered = filtersIn(page).flatMap(([name, words]) => {
    const values = words.length > 0 ? words : (typed[name] ?? ["nothing_like_this"])
    return values.map((value) => `${address}${address.includes("?") ? "&" : "?"}${name}=${encodeURIComponent(value)}`)
  })
  return [...older, ...filtered]
}

/** Every kind of page that links lead to from the overview, each of them once, and every list with each of its filters. */
const addressesOf = Effect.fnUntraced(function* (open: (address: string) => Effect.Effect<string, BenchFailure>) {
  const found = new Map<string, string>()
  const lists: Array<string> = []
  const queue = ["/dashboard"]
  for (let address = queue.shift(); address !== undefined; address = queue.shift()) {
    const pattern = patternOf(address)
    if (found.has(pattern) || !pattern.startsWith("/dashboard")) continue
    found.set(pattern, address)
    const page = yield* open(address)
    lists.push(...narrowed(address, page))
    queue.push(...linksIn(page))
  }
  return [...found.values(), ...lists]
})

interface Measured {
  readonly address: string
  readonly ms: number
  readonly databaseMs: number
  readonly bytes: number
}

/** Costs of the pages of the console in a large environment. */
export const pages: Workload = {
  name: "pages",
  about: `GET of every page of the console, and of every list with each value of its filters, in an environment of ${grouped(sizes.messages)} messages and ${grouped(sizes.contacts)} contacts, one after another, ${answersOfOne} answers each.`,
  needs: [],
  run: Effect.gen(function* () {
    const { postgres, say } = yield* Bench
    const master = randomBytes(32)
    const product = yield* startProduct({
      name: "pages",
      env: { CARTEIRO_SANDBOX_STATUS_DELAY_MS: "0", CARTEIRO_MASTER_KEY: master.toString("hex") }
    })
    say("  filling the environment")
    const ground = Layer.merge(Ids.layer, Secrets.layer(Redacted.make([master])))
    yield* Effect.provide(fill(product), ground)
    const { open, refused } = yield* signIn(product)
    const walked = yield* addressesOf(open)
    const searched = ["msg_", recipient(7), "welcome", "no such thing"].map(
      (words) => `/dashboard/search?q=${encodeURIComponent(words)}`
    )
    yield* postgres.checkpoint
    yield* rest(product.pids)
    say(`  asking for ${walked.length + searched.length} addresses`)
    const spent = Effect.map(postgres.cpuSeconds, (database) => ({
      database,
      own: product.pids().reduce((sum, pid) => sum + cpuSeconds(pid), 0)
    }))
    const measured = yield* Effect.forEach([...walked, ...searched], (address) =>
      Effect.gen(function* () {
        const bytes = Buffer.byteLength(yield* open(address))
        const before = yield* spent
        yield* Effect.forEach(Array.from({ length: answersOfOne }), () => open(address), { discard: true })
        const after = yield* spent
        const databaseMs = ((after.database - before.database) * 1000) / answersOfOne
        const ms = databaseMs + ((after.own - before.own) * 1000) / answersOfOne
        return { address, ms, databaseMs, bytes } satisfies Measured
      })
    )
    const dearest = measured.toSorted((a, b) => b.ms - a.ms)
    const files = dearest.filter(({ address }) => isFile(address))
    const whole = dearest.filter(({ address }) => !isFile(address))
    const named = ({ address, bytes, databaseMs, ms }: Measured) =>
      `${ms.toFixed(0)} ms (PostgreSQL ${databaseMs.toFixed(0)}), ${grouped(bytes / 1000)} kB: \`${withoutIds(address)}\``
    return {
      unit: "answers",
      sides: [],
      bars: [
        limit(
          `no page above ${barMs} ms of processor time, PostgreSQL included`,
          whole[0]?.ms,
          (value) => value <= barMs,
          1
        ),
        limit(
          `no file above ${fileBarMs} ms of processor time, PostgreSQL included`,
          files[0]?.ms,
          (value) => value <= fileBarMs,
          1
        )
      ],
      facts: [
        `${measured.length} addresses, and ${refused.length} answers that asked for patience`,
        ...refused.slice(0, shown),
        "The dearest pages:",
        ...whole.slice(0, shown).map(named),
        "The dearest files, of up to 10,000 rows:",
        ...files.slice(0, shown).map(named)
      ]
    }
  })
}

const isFile = (address: string): boolean => new URL(address, "http://localhost").pathname.endsWith("/export")

/** An address without the ids of a run, whose text would differ in each. */
const withoutIds = (address: string): string =>
  address.replaceAll(/\b([a-z]{2,5})_[0-9a-hjkmnp-tv-z]{26}/g, "$1_…").replace(/([?&])environment=env_…&?/, "$1")
