import { readFileSync } from "node:fs"
import { assert, it } from "@effect/vitest"

const design = (name: string): string =>
  readFileSync(new URL(`../../packages/console/kit/design/${name}.css`, import.meta.url), "utf8")

/** Values of the tokens by day, and by night where those have others. */
const tokens = (scheme: "light" | "dark"): ReadonlyMap<string, string> => {
  const values = new Map<string, string>()
  for (const sheet of [design("palette"), design("tokens")]) {
    const night = sheet.indexOf("@media (prefers-color-scheme: dark)")
    const day = sheet.slice(0, night)
    for (const part of scheme === "light" ? [day] : [day, sheet.slice(night)]) {
      for (const [, name = "", value = ""] of part.matchAll(/(--[a-z0-9-]+): ([^;]+);/g)) values.set(name, value)
    }
  }
  return values
}

/** Returns the relative luminance of a token, as contrasts are computed from it. */
const luminance = (values: ReadonlyMap<string, string>, name: string): number => {
  const value = values.get(name) ?? assert.fail(`${name} is no token`)
  const other = /^var\((--[a-z0-9-]+)\)$/.exec(value)?.[1]
  if (other !== undefined) return luminance(values, other)
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(value.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

const lightness = (of: number): number => 116 * Math.cbrt(of) - 16

it("series of a chart differ in lightness and stand out from the page, by day and by night", () => {
  const tones = ["info", "deep", "good", "bad", "plain"]
  for (const scheme of ["light", "dark"] as const) {
    const values = tokens(scheme)
    const surface = luminance(values, "--surface")
    const shades = tones.map((tone) => luminance(values, `--chart-${tone}`))
    for (const [index, shade] of shades.entries()) {
      const contrast = (Math.max(shade, surface) + 0.05) / (Math.min(shade, surface) + 0.05)
      assert.isAtLeast(contrast, 3, `${tones[index]}, ${scheme}`)
    }
    const steps = shades.map(lightness).toSorted((one, other) => one - other)
    for (const [index, step] of steps.slice(1).entries()) {
      assert.isAtLeast(step - (steps[index] ?? 0), 6, `${scheme}: ${steps.map(Math.round).join()}`)
    }
  }
})
