import { readFileSync } from "node:fs"
import { assert, describe, it } from "vitest"
import { recorded } from "./Recorded.ts"
import { computed, courses, scaleSection } from "./ScaleSection.ts"

const page = readFileSync(new URL("../../docs/scale.md", import.meta.url), "utf8")

describe("A million messages a minute, simulated with recorded service times", () => {
  const figures = recorded()
  const played = courses(figures)
  const { even, killed, skewed } = played
  const { edgeBusy, plan, postgresBusy, shardBusy } = computed(figures)

  it("keeps every part as busy as the arithmetic says, where tenants are alike", () => {
    assert.closeTo(even.edgeBusy, edgeBusy, 0.02)
    assert.closeTo(even.shardBusy, shardBusy, 0.02)
    assert.closeTo(even.postgresBusy, postgresBusy, 0.02)
  })

  it("carries what the arithmetic leaves out: skew, and the loss of a shard node", () => {
    assert.isBelow(skewed.fullestShard, 1)
    assert.isAbove(skewed.fullestShard, even.fullestShard + 0.1)
    assert.isAtLeast(killed.worst, figures.takeoverMs)
    assert.isBelow(killed.recoveredMs ?? Number.POSITIVE_INFINITY, 2 * figures.takeoverMs)
    assert.isBelow((shardBusy * plan.shardNodes) / (plan.shardNodes - 1), 0.7)
  })

  it("stands on the page as it comes out (npm run proof -- scale)", () => {
    const section = page.split(/^## /m).find((part) => part.startsWith("A million messages a minute\n"))
    assert.strictEqual(section?.split("\n").slice(2).join("\n").trim(), scaleSection(figures, played).trim())
  })
})
