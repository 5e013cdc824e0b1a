import { vendorClock } from "@carteiro/simulators/kit/Lifetime.ts"
import { startPixprov1 } from "@carteiro/simulators/pixprov1/Simulator.ts"
import { Effect } from "effect"
import { type HurtVendor, hurtVendor } from "../VendorFaults.ts"

/** The simulated provider of payments that agents make. It lives with the run, so that no fault ends it. */
export interface AgenticVendor extends HurtVendor {
  /** Settings of every node. */
  readonly env: Readonly<Record<string, string>>
  /** What the product's account there is connected with. */
  readonly credentials: Readonly<Record<string, string>>
  /** The product stands at this address, and this is its connection. */
  readonly connect: (baseUrl: string, connectionId: string) => void
  /** A customer authorizes, by our id. */
  readonly authorize: (authorizationId: string) => Promise<void>
  /** Authorizations by our ids that may still be paid by. */
  readonly open: () => Promise<ReadonlyArray<string>>
}

const key = "faults-agentic-key"
const webhook_secret = "faults-agentic-webhook-secret"

/** Starts one; it goes with the scope. */
export const startAgenticVendor = Effect.gen(function* () {
  const simulator = yield* Effect.acquireRelease(
    Effect.promise(() => startPixprov1({ now: vendorClock, workMs: 200, accounts: [] })),
    (running) => Effect.promise(() => running.close())
  )
  const { accounts, faults, log, url } = simulator
  const decide = (body: object) =>
    fetch(`${url}/authorization-outcomes`, { method: "POST", body: JSON.stringify(body) })
  const statusOf = async (id: string): Promise<unknown> => {
    const { status } = (await (await decide({ id })).json()) as { readonly status?: unknown }
    return status
  }
  const vendor: AgenticVendor = {
    ...hurtVendor([faults]),
    env: { CARTEIRO_PIXPROV1_API_BASE_URL: url },
    credentials: { api_key: key, webhook_secret, participant_id: "part_1", agent_id: "agent_1" },
    connect: (baseUrl, connectionId) =>
      accounts.setUp({ key, webhook_secret, webhook_url: `${baseUrl}/webhooks/pixprov1/${connectionId}` }),
    authorize: async (id) => {
      await decide({ id, status: "authorized" })
    },
    open: async () => {
      const asked = log
        .read(0, "authorization")
        .flatMap(({ external_id }) => (typeof external_id === "string" ? [external_id] : []))
      const standing = await Promise.all([...new Set(asked)].map(async (id) => [id, await statusOf(id)] as const))
      return standing.flatMap(([id, status]) => (status === "pending" || status === "authorized" ? [id] : []))
    }
  }
  return vendor
})
