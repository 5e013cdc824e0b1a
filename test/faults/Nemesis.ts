import type { Fault } from "@carteiro/simulators/kit/Faults.ts"
import { Effect } from "effect"
import { endSessions, freeCommits, restartServer, slowCommits } from "./Database.ts"
import { holdRow, migrateBehindDump } from "./Holding.ts"
import { linkHurts } from "./LinkRoads.ts"
import type { Log } from "./Log.ts"
import type { CardVendor } from "./money/Vendors.ts"
import type { Product } from "./Nodes.ts"
import { type Platform, platformFaults } from "./Platform.ts"
import { type ProductNode, signalTo } from "./Process.ts"
import type { AgenticVendor } from "./payments/AgenticVendor.ts"
import type { PixVendor } from "./payments/PixVendor.ts"
import type { Seeds } from "./Seeds.ts"
import { awaited, type HurtVendor } from "./VendorFaults.ts"
import { eventually } from "./Waiting.ts"

interface Grief {
  readonly product: Product
  readonly platform: Platform
  readonly vendor: PixVendor
  readonly agents: AgenticVendor
  readonly cards: CardVendor
  /** What the vendors do wrong next. */
  readonly decks: Readonly<Record<"pix" | "cards", () => ReadonlyArray<Fault>>>
  readonly log: Log
  readonly seeds: Seeds
}

/** Longer than the shard lock lease of 6 seconds. Architecture, section 8 */
const freezeMillis = { least: 6_500, most: 9_000 }

const told = <A, E, R>({ log }: Pick<Grief, "log">, name: string, target: string, act: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    log.fault(name, target, "begin")
    const done = yield* act
    log.fault(name, typeof done === "number" ? `${target}: ${done}` : target, "end")
    return done
  })

/** Hurts vendors for some seconds, and for up to half a minute more until what the run counts on has struck. */
const hurtUntilStruck = (grief: Grief, name: "pix" | "cards", vendor: HurtVendor) => {
  const { decks, seeds } = grief
  const chosen = decks[name]()
  const seed = seeds.between(1, 1_000_000)
  const millis = seeds.between(3_000, 7_000)
  const act = Effect.gen(function* () {
    const before = vendor.strikes()
    vendor.hurt(chosen, seed)
    yield* Effect.sleep(millis)
    yield* eventually(() => (awaited(chosen, before, vendor.strikes()).length === 0 ? true : undefined), 30)
  }).pipe(Effect.ensuring(Effect.sync(() => vendor.hurt([], 1))))
  return told(grief, name, chosen.map((fault) => fault.name).join(" "), act)
}

const victim = ({ product, seeds }: Grief): ProductNode => seeds.pick(product.nodes)

/** Every fault by name; each leaves the product whole again, but not necessarily at rest. */
export const faults = {
  /** SIGKILL in the middle of everything, and a start after a while. */
  kill: (grief: Grief) => {
    const node = victim(grief)
    const act = Effect.gen(function* () {
      node.signal("SIGKILL")
      yield* node.exited
      yield* Effect.sleep(grief.seeds.between(0, 1_000))
      yield* node.start
    })
    return told(grief, "kill", node.name, act)
  },
  /** SIGSTOP past the lease, then SIGCONT: the process wakes up and believes that no time has passed. */
  freeze: (grief: Grief) => {
    const node = victim(grief)
    const act = Effect.gen(function* () {
      node.signal("SIGSTOP")
      yield* Effect.sleep(grief.seeds.between(freezeMillis.least, freezeMillis.most))
      node.signal("SIGCONT")
    })
    return told(grief, "freeze", node.name, act)
  },
  /** The machine of a node is slow, not dead: it stands still nine tenths of the time, too briefly to lose its locks. */
  limp: (grief: Grief) => {
    const node = victim(grief)
    const step = Effect.gen(function* () {
      node.signal("SIGSTOP")
      yield* Effect.sleep(450)
      node.signal("SIGCONT")
      yield* Effect.sleep(50)
    })
    return told(grief, "limp", node.name, Effect.repeat(step, { times: grief.seeds.between(10, 20) }))
  },
  /** A planned stop, which must end with exit code 0, and a start. Boot contract, Stopping */
  stop: (grief: Grief) => {
    const node = victim(grief)
    const act = Effect.gen(function* () {
      node.signal("SIGTERM")
      const code = yield* node.exited
      if (code !== 0) grief.log.fault("exit", `${node.name} code=${code} after SIGTERM`, "unasked")
      yield* node.start
    })
    return told(grief, "stop", node.name, act)
  },
  /** The server ends about half of the product's sessions, locks and running statements with them, or all. */
  sessions: (grief: Grief) => {
    const share = grief.seeds.pick([0.3, 0.6, 1])
    const act = endSessions(grief.product.databaseUrl, () => !grief.seeds.chance(share))
    return told(grief, "sessions", String(share), act)
  },
  /** The database server stops, by fast shutdown or by a crash it recovers from, and comes back. */
  database: (grief: Grief) => {
    const { cluster, databaseUrl } = grief.product
    const crash = grief.seeds.chance(0.5)
    const act = cluster === undefined ? Effect.void : restartServer(databaseUrl, cluster, crash)
    return told(grief, "database", crash ? "crash" : "fast", act)
  },
  /** One of the equal processes of a node is killed, or frozen past the lease; its supervisor starts a killed one again. */
  process: (grief: Grief) => {
    const { product, seeds } = grief
    const node = product.nodes.find(({ processes }) => processes > 1)
    const at = seeds.between(0, (node?.processes ?? 1) - 1)
    const kills = seeds.chance(0.6)
    const frozenMs = seeds.between(freezeMillis.least, freezeMillis.most)
    const act = Effect.gen(function* () {
      const pid = node?.equals()[at]
      if (node === undefined || pid === undefined) return
      signalTo(pid, kills ? "SIGKILL" : "SIGSTOP")
      if (!kills) {
        yield* Effect.sleep(frozenMs)
        signalTo(pid, "SIGCONT")
      }
      yield* eventually(() => (node.equals().length === node.processes ? true : undefined), 30)
    })
    return told(grief, "process", `${node?.name} ${at} ${kills ? "killed" : "frozen"}`, act)
  },
  /** The connections to a process that owns are cut between two bytes, trickle, or go silent in one direction. */
  link: (grief: Pick<Grief, "log" | "seeds"> & { readonly product: Pick<Product, "links"> }) => {
    const { product, seeds } = grief
    const hurt = seeds.pick(linkHurts)
    const at = seeds.between(0, product.links.count - 1)
    // How often these are drawn depends on the traffic.
    const cuts = seeds.fork(`link ${seeds.next()}`)
    const act = product.links.hurt(at, hurt, seeds.between(2_000, 6_000), () => cuts.next())
    return told(grief, "link", `${hurt} ${at}`, act)
  },
  /** Commits take long, so that everything else overtakes them. */
  slow: (grief: Grief) => {
    const { databaseUrl } = grief.product
    const millis = grief.seeds.pick([100, 400, 1_500])
    const act = Effect.ensuring(
      Effect.andThen(slowCommits(databaseUrl, millis), Effect.sleep(grief.seeds.between(2_000, 6_000))),
      freeCommits(databaseUrl)
    )
    return told(grief, "slow", `${millis} ms`, act)
  },
  /** The database's host is gone without a reset: nothing is refused, nothing answered. It comes back, or boots again. */
  vanish: (grief: Grief) => {
    const { road } = grief.product
    const how = grief.seeds.pick(["resumed", "rebooted"] as const)
    const act = Effect.gen(function* () {
      road?.vanish()
      yield* Effect.sleep(grief.seeds.between(3_000, 15_000))
      road?.comeBack(how)
    })
    return told(grief, "vanish", how, act)
  },
  /** Somebody else's transaction holds a row that commits want, for up to half a minute: longer than a commit is waited for. */
  hold: (grief: Grief) => {
    const table = grief.seeds.pick(["contacts", "webhook_endpoints"] as const)
    const millis = grief.seeds.between(8_000, 30_000)
    return told(grief, "hold", `${table} ${millis} ms`, holdRow(grief.product.databaseUrl, table, millis))
  },
  /** A migration wants the table everybody writes to, while a dump reads it. */
  migrate: (grief: Grief) => {
    const millis = grief.seeds.between(3_000, 10_000)
    return told(grief, "migrate", `${millis} ms`, migrateBehindDump(grief.product.databaseUrl, millis))
  },
  /** The chat platform cuts, delays, refuses and garbles, or repeats and reorders what it tells, in three ways at once. */
  upstream: ({ platform, ...grief }: Grief) => {
    const { seeds } = grief
    const chosen = [1, 2, 3].map(() => seeds.pick<Fault>(platformFaults))
    const hurting = platform.hurt(
      chosen.map((fault) => ({ ...fault, permille: 300 })),
      seeds.between(1, 1_000_000)
    )
    const act = Effect.ensuring(
      Effect.andThen(hurting, Effect.sleep(seeds.between(2_000, 6_000))),
      platform.hurt([], 1)
    )
    return told(grief, "upstream", chosen.map(({ name }) => name).join(" "), act)
  },
  /**
   * The Pix providers lose calls and answers, refuse creates or put calls off, have some land late or find them late, and lose,
   * repeat, forge, delay or reorder what they tell, or tell it before they answer.
   */
  pix: (grief: Grief) => {
    const { agents, vendor } = grief
    const both = {
      ...vendor,
      hurt: (faults: ReadonlyArray<Fault>, seed: number) => {
        vendor.hurt(faults, seed)
        agents.hurt(faults, seed)
      }
    }
    return hurtUntilStruck(grief, "pix", both)
  },
  /**
   * The card processor loses, delays and declines, puts calls off, finds late what it made, or loses, repeats, reorders and
   * forges what it tells, or tells it before it answers, in three ways at once.
   */
  cards: (grief: Grief) => hurtUntilStruck(grief, "cards", grief.cards)
} as const satisfies Record<string, (grief: Grief) => Effect.Effect<unknown>>
export type FaultName = keyof typeof faults

/** One fault after another, each kind as often as the others, with a seeded calm between, until told to stop or after so many rounds. */
export const nemesis = Effect.fnUntraced(function* (
  grief: Grief,
  names: readonly [FaultName, ...ReadonlyArray<FaultName>],
  until: { readonly stopped: () => boolean; readonly rounds: number }
) {
  const next = grief.seeds.deck(names)
  for (let round = 0; round < until.rounds && !until.stopped(); round++) {
    yield* Effect.sleep(grief.seeds.between(700, 2_500))
    yield* faults[next()](grief)
  }
})
