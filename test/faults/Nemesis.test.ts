import { startMercadopago } from "@carteiro/simulators/mercadopago/Simulator.ts"
import { startStripe } from "@carteiro/simulators/stripe/Simulator.ts"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { makeLog } from "./Log.ts"
import { faults } from "./Nemesis.ts"
import { makeSeeds } from "./Seeds.ts"
import { cardFaults, faultDeck, hurtVendor, pixFaults } from "./VendorFaults.ts"

it.effect("what crosses a hurt link moves no later choice of the seed", () =>
  Effect.gen(function* () {
    const after = Effect.fnUntraced(function* (frames: number) {
      const seeds = makeSeeds("enlace")
      const drawn: Array<number> = []
      const hurt = (_at: number, _hurt: string, _millis: number, chance: () => number) =>
        Effect.sync(() => {
          for (let frame = 0; frame < frames; frame++) drawn.push(chance())
        })
      const links = { firstPorts: [], env: {}, count: 3, hurt }
      const log = makeLog(() => 0)
      for (let fault = 0; fault < 3; fault++) yield* faults.link({ log, seeds, product: { links } })
      const chosen = log.entries.flatMap((entry) => (entry.phase === "fault" ? [`${entry.stage} ${entry.target}`] : []))
      return { chosen, next: seeds.next(), drawn: new Set(drawn).size }
    })
    const [quiet, busy] = [yield* after(0), yield* after(500)]
    assert.deepStrictEqual([busy.chosen, busy.next], [quiet.chosen, quiet.next])
    assert.lengthOf(busy.chosen, 6)
    assert.isAbove(busy.drawn, 1400, "each fault cuts elsewhere")
  })
)

it("a vendor has every fault once before one comes again, and those that a run counts on at once", async () => {
  const pix = await startMercadopago({ now: () => 0, accounts: [] })
  const cards = await startStripe({ now: () => 0, apiKey: "", webhookSecret: "" })
  const namesOf = (list: ReadonlyArray<{ readonly name: string }>) => list.map(({ name }) => name)
  for (const [faults, vendor] of [
    [pixFaults, pix],
    [cardFaults, cards]
  ] as const) {
    const deal = faultDeck(faults, hurtVendor([vendor.faults]), makeSeeds("baralho"))
    const dealt = Array.from({ length: Math.ceil(faults.length / 3) }, deal).flatMap(namesOf)
    assert.sameMembers(dealt.slice(0, faults.length), namesOf(faults))
    assert.includeMembers(dealt.slice(0, 6), ["rate_limited", "idempotency_key_in_use", "delay_webhook"])
    await vendor.close()
  }
})
