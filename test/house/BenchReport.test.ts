import { assert, describe, it } from "@effect/vitest"
import { readArguments, usageOf } from "../bench/Arguments.ts"
import { atLeast, type Finding, logAddsAtMost, missesOf, withoutLog } from "../bench/Report.ts"
import type { Sample, SideResult } from "../bench/Rounds.ts"

const names = ["accept", "pages"]

const side = (name: string, samples: ReadonlyArray<Partial<Sample>>): SideResult => ({
  name,
  samples: samples.map((sample) => ({ perSecond: 1, ...sample }))
})

const finding = (name: string, sides: ReadonlyArray<SideResult>, bars: Finding["bars"]): Finding => ({
  name,
  about: "",
  sides,
  unit: "requests",
  bars,
  facts: []
})

describe("The bench", () => {
  it("runs every workload and forgives a missed bar unless it is told otherwise", () => {
    const { check, names: all, options, write } = readArguments([], names)
    assert.deepStrictEqual([check, write, all, options.rounds, options.seconds], [false, false, names, 5, 4])
    const checked = readArguments(["pages", "--check", "--rounds", "3"], names)
    assert.deepStrictEqual([checked.check, checked.names, checked.options.rounds], [true, ["pages"], 3])
    assert.include(usageOf([{ name: "pages", about: "Costs of pages." }]), "--check")
  })

  it("refuses a workload that it does not know and an option without a number", () => {
    assert.throws(() => readArguments(["pagse"], names), "no such workload: pagse")
    assert.throws(() => readArguments(["--rounds", "0"], names), '--rounds expects a whole number above 0, not "0"')
    assert.throws(() => readArguments(["--chekc"], names), "--chekc")
  })

  it("names each missed bar with its workload, and a bar without a measurement is missed", () => {
    const sides = [side("carteiro", [{ perSecond: 300 }]), side("fastify", [{ perSecond: 100 }])]
    const findings = [
      finding("accept", sides, [atLeast(sides, "fastify", 3), atLeast(sides, "fastify", 3.3)]),
      finding("pages", sides, [atLeast(sides, "nobody", 1)])
    ]
    assert.deepStrictEqual(missesOf(findings), [
      "accept: at least 3.3x fastify (3.00x)",
      "pages: at least 1x nobody (not measured)"
    ])
  })

  it("holds what the request log adds to a tenth of the processor time and to its bytes", () => {
    const plain = side(withoutLog, [{ cpuMs: 0.1, walBytes: 1000 }])
    const passedWith = (sample: Partial<Sample>) =>
      logAddsAtMost([side("carteiro", [sample]), plain], 400).map(({ passed }) => passed)
    assert.deepStrictEqual(passedWith({ cpuMs: 0.109, walBytes: 1400 }), [true, true])
    assert.deepStrictEqual(passedWith({ cpuMs: 0.12, walBytes: 1401 }), [false, false])
    assert.deepStrictEqual(passedWith({}), [false, false])
  })
})
