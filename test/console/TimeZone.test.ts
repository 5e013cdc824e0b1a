import { html } from "@carteiro/html/Html.ts"
import { assert, it } from "@effect/vitest"
import { exactMoment, moment } from "../../packages/console/kit/Parts.ts"
import { inZone } from "../../packages/console/kit/TimeZone.ts"

/** Returns the titles of the times of a page in a zone. */
const titlesIn = (zone: string, instants: ReadonlyArray<string>): ReadonlyArray<string | undefined> => {
  const page = html`${instants.map((at) => moment(at))}`.markup
  const now = Date.UTC(2026, 10, 29)
  const shown = inZone(page, { zone, isZoneUnknown: false, language: "en", now })
  return [...shown.matchAll(/title="([^"]*)"/g)].map(([, title]) => title)
}

it("the times of one page follow the change of summer time of their zone to the second", () => {
  const instants = ["2026-10-25T00:59:59.000Z", "2026-10-25T01:00:00.000Z", "2026-10-25T00:59:58.000Z"]
  const berlin = ["2026-10-25 02:59:59 UTC+2", "2026-10-25 02:00:00 UTC+1", "2026-10-25 02:59:58 UTC+2"]
  assert.deepStrictEqual(titlesIn("Europe/Berlin", instants), berlin)
  // Another reader's zone, and the first one again: what is known of one zone says nothing about the other.
  assert.deepStrictEqual(titlesIn("America/Sao_Paulo", instants).slice(0, 2), [
    "2026-10-24 21:59:59 UTC-3",
    "2026-10-24 22:00:00 UTC-3"
  ])
  assert.deepStrictEqual(titlesIn("Europe/Berlin", instants), berlin)
})

it("zones with parts of an hour, and years before summer time ended in Brazil, are shown as they were", () => {
  assert.deepStrictEqual(titlesIn("Asia/Kathmandu", ["2026-01-01T18:20:00.000Z"]), ["2026-01-02 00:05:00 UTC+5:45"])
  assert.deepStrictEqual(titlesIn("America/Sao_Paulo", ["2018-12-01T02:30:00.000Z", "2026-12-01T02:30:00.000Z"]), [
    "2018-12-01 00:30:00 UTC-2",
    "2026-11-30 23:30:00 UTC-3"
  ])
  assert.deepStrictEqual(titlesIn("UTC", ["2026-12-01T02:30:00.000Z"]), ["2026-12-01 02:30:00 UTC"])
})

it("a page brings its times in the words that scripts show, by its own clock, but for exact ones and those of long ago", () => {
  const now = Date.UTC(2026, 10, 29, 12)
  const away = [-1, -59_000, -90_000, -7_200_000, -86_400_000, 3_600_000, -40 * 86_400_000]
  const page = html`${away.map((ms) => moment(new Date(now + ms).toISOString()))}${exactMoment(new Date(now).toISOString())}`
  const agoIn = (language: "en" | "pt") =>
    [...inZone(page.markup, { zone: "UTC", isZoneUnknown: false, language, now }).matchAll(/<time[^>]*>/g)].map(
      ([tag]) => / data-ago="([^"]*)"/.exec(tag)?.[1]
    )
  assert.deepStrictEqual(agoIn("en"), [
    "now",
    "59 seconds ago",
    "1 minute ago",
    "2 hours ago",
    "yesterday",
    "in 1 hour",
    undefined,
    undefined
  ])
  assert.deepStrictEqual(agoIn("pt").slice(0, 3), ["agora", "há 59 segundos", "há 1 minuto"])
})
