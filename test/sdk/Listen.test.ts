import { Carteiro, CarteiroConflictError } from "@carteiro/sdk"
import { assert, describe, it } from "vitest"

type Answer = Error | { readonly status?: number; readonly body: object }

const session = (id: string): Answer => ({ status: 201, body: { id } })
const page = (...ids: ReadonlyArray<string>): Answer => ({
  body: {
    data: ids.map((id) => ({ id, payload: { id, type: "message.sent" } })),
    has_more: true,
    next_cursor: `cur_${ids.at(-1)}`,
    next_poll_after_ms: 0
  }
})
const refusal = (status: number, type: string, code: string, details: object = {}): Answer => ({
  status,
  body: { error: { type, code, message: code, details } }
})
const heldBy = (id: string) =>
  refusal(409, "conflict", "webhook_listen_session_active_exists", { active_session: { id } })

/** A client with a production key whose answers are given one after the other; time does not pass. */
const scripted = (...answers: Array<Answer>) => {
  const asked: Array<string> = []
  const carteiro = new Carteiro({
    apiKey: "svc_live_test",
    timing: {
      now: () => 0,
      random: () => 0,
      sleep: (milliseconds) => (milliseconds > 9_000 ? new Promise(() => {}) : Promise.resolve())
    },
    fetch: (url, init) => {
      const { searchParams } = new URL(String(url))
      asked.push(init?.method === "POST" ? "open" : `poll ${searchParams.get("listen_session_id")}`)
      const answer = answers.shift() ?? new Error("asked more often than expected")
      return answer instanceof Error
        ? Promise.reject(answer)
        : Promise.resolve(new Response(JSON.stringify(answer.body), { status: answer.status ?? 200 }))
    }
  })
  return { asked, carteiro }
}

/** Walks until so many events were seen. */
const walked = async (carteiro: Carteiro, count: number) => {
  const ids: Array<string> = []
  for await (const { id } of carteiro.listen()) {
    ids.push(id)
    if (ids.length === count) break
  }
  return ids
}

describe("listen with a production key", () => {
  it("opens the next session when one ends, and waits while none can be opened A-LSS-10", async () => {
    const { asked, carteiro } = scripted(
      session("wls_1"),
      page("evt_1"),
      refusal(409, "conflict", "webhook_listen_session_not_active"),
      new TypeError("cut"),
      refusal(503, "service_unavailable", "service_unavailable"),
      session("wls_2"),
      page("evt_2")
    )
    assert.deepStrictEqual(await walked(carteiro, 2), ["evt_1", "evt_2"])
    assert.deepStrictEqual(asked, ["open", "poll wls_1", "poll wls_1", "open", "open", "open", "poll wls_2"])
  })

  it("continues the session that an earlier run of the key opened A-LSS-17", async () => {
    const { asked, carteiro } = scripted(heldBy("wls_1"), page("evt_1"))
    assert.deepStrictEqual(await walked(carteiro, 1), ["evt_1"])
    assert.deepStrictEqual(asked, ["open", "poll wls_1"])
  })

  it("ends with the refusal while the session of another key is open A-LSS-12", async () => {
    const foreign = refusal(404, "not_found", "webhook_listen_session_not_found")
    const { asked, carteiro } = scripted(heldBy("wls_1"), foreign, heldBy("wls_1"))
    const error = await walked(carteiro, 1).catch((failure: unknown) => failure)
    assert.instanceOf(error, CarteiroConflictError)
    assert.deepStrictEqual(asked, ["open", "poll wls_1", "open"])
  })
})
