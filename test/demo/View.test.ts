import { stripVTControlCharacters } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import { figuresOf } from "../../packages/demo/Metrics.ts"
import { render, type Scene } from "../../packages/demo/View.ts"

const scene: Scene = {
  seconds: 75,
  tenants: 6,
  nodes: [
    { name: "shard 1", state: "running", shards: 64, owners: 12, memoryBytes: 200 * 1024 * 1024, cpu: 0.25 },
    { name: "shard 2", state: "killed", shards: undefined, owners: undefined, memoryBytes: undefined, cpu: undefined }
  ],
  selected: 1,
  accepted: 1234,
  failed: 0,
  missing: 3,
  acceptedBySecond: [0, 20, 40],
  webhooksBySecond: [0, 0, 40],
  latencies: [4, 5, 6, 250],
  webhooks: 1231,
  refused: 7,
  receiverBroken: true,
  log: ["   6 s  shard 2 was killed"]
}

const linesOf = (shown: Scene) => render(shown).map(stripVTControlCharacters)

describe("The view of the demo", () => {
  it("shows each node with its state, its shards and owners, and marks the one that keys act on", () => {
    const lines = linesOf(scene)
    assert.include(lines, "  1 shard 1    running       64      12   200 MB   25 %")
    assert.include(lines, "▸ 2 shard 2    killed         –       –        –      –")
  })

  it("shows rates, latency and how many messages have not been delivered", () => {
    const text = linesOf(scene).join("\n")
    assert.include(text, "accepted     1,234    40/s   ▄█")
    assert.include(text, "p50 6.0 ms   p99 250 ms")
    assert.include(text, "receiver   broken   refused 7")
    assert.include(text, "failed 0   accepted and not delivered yet 3")
    assert.include(text, "01:15")
  })

  it("shows a dash before the first measurement", () => {
    assert.include(linesOf({ ...scene, latencies: [] }).join("\n"), "p50 –   p99 –")
  })

  it("sums a metric over its labels", () => {
    const page = `# TYPE owner_resident gauge
owner_resident{owner="Environment"} 3
owner_resident{owner="PhoneNumber"} 4
effect_cluster_shards 42
process_resident_memory_bytes 1.5e+8
process_cpu_user_seconds_total 2.5
process_cpu_system_seconds_total 0.5
`
    assert.deepStrictEqual(figuresOf(page), { shards: 42, owners: 7, memoryBytes: 150_000_000, cpuSeconds: 3 })
  })
})
