import type { RawRequest } from "@carteiro/http-edge/Routes.ts"
import { DateTime, Option } from "effect"
import { readCookie, timeZoneCookie } from "./Cookies.ts"
import { keptParameters, queryParameter } from "./Forms.ts"
import { type Html, html } from "./Html.ts"
import { type Language, type Saying, say } from "./Language.ts"

/** Zones that a reader chooses from: Brazil's four, and where customers abroad often are. */
const zones: ReadonlyArray<readonly [zone: string, name: Saying]> = [
  ["UTC", "UTC"],
  ["America/Sao_Paulo", "Brasília, São Paulo"],
  ["America/Manaus", "Manaus"],
  ["America/Rio_Branco", "Rio Branco"],
  ["America/Noronha", "Fernando de Noronha"],
  ["America/New_York", "New York"],
  ["America/Los_Angeles", "Los Angeles"],
  ["Europe/Lisbon", "Lisbon"],
  ["Europe/Berlin", "Berlin"]
]

/** Name of the parameter by which any address of the dashboard chooses a zone. */
const parameter = "time_zone"

/** Every zone that this server can tell times in: the browser of a reader may name one that the choice does not list. */
const tellable: ReadonlySet<string> = new Set([...Intl.supportedValuesOf("timeZone"), ...zones.map(([zone]) => zone)])

const known = (zone: string | undefined): string | undefined =>
  zone !== undefined && tellable.has(zone) ? zone : undefined

/** Returns the zone that the address chooses, else the remembered one, else UTC. */
export const zoneOf = (request: RawRequest): string =>
  chosenZone(request) ?? known(readCookie(request.headers.cookie, timeZoneCookie)) ?? "UTC"

/** True where the reader chose a zone, or the script remembered that of the browser. */
export const isZoneKnown = (request: RawRequest): boolean =>
  (chosenZone(request) ?? known(readCookie(request.headers.cookie, timeZoneCookie))) !== undefined

/** Returns the zone that the address chooses. */
export const chosenZone = (request: RawRequest): string | undefined => known(queryParameter(request, parameter))

const shownTime =
  /<time datetime="([^"]+)" title="[^"]*"><span>[^<]*<\/span> <span>(\d\d:\d\d(?::\d\d)?) UTC<\/span><\/time>/g

/** Returns a zone as people call it. */
export const zoneName = (zone: string): Html => {
  const name = zones.find(([one]) => one === zone)?.[1]
  return name === undefined ? html`${zone}` : say(name)
}

/**
 * Returns a page's markup with its times, which are made in UTC, in a zone, and their days as its language writes them; nothing
 * else makes an element `time`.
 */
export const inZone = (markup: string, zone: string, language: Language): string => {
  if (zone === "UTC" && language === "en") return markup
  const formatter = new Intl.DateTimeFormat("en-CA", {
    timeZone: zone,
    hourCycle: "h23",
    timeZoneName: "shortOffset",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit"
  })
  return markup.replaceAll(shownTime, (_, iso: string, shown: string) => {
    const part = Object.fromEntries(formatter.formatToParts(new Date(iso)).map(({ type, value }) => [type, value]))
    const day = language === "pt" ? `${part.day}/${part.month}/${part.year}` : `${part.year}-${part.month}-${part.day}`
    const time = `${part.hour}:${part.minute}:${part.second}`
    const offset = zone === "UTC" ? zone : (part.timeZoneName?.replace("GMT", "UTC") ?? zone)
    return `<time datetime="${iso}" title="${day} ${time} ${offset}"><span>${day}</span> <span>${time.slice(0, shown.length)} ${offset}</span></time>`
  })
}

/** Returns when a day of a zone begins, some days later, in epoch milliseconds; undefined for what is no day. */
export const startOfDay = (day: string, zone: string, daysLater: number): number | undefined => {
  if (!/^\d{4}-\d\d-\d\d$/.test(day)) return undefined
  return DateTime.makeZoned(day, { timeZone: zone, adjustForTimeZone: true }).pipe(
    Option.map((start) => DateTime.toEpochMillis(DateTime.add(start, { days: daysLater }))),
    Option.getOrUndefined
  )
}

/** Returns the choice of a zone at the foot of a page, which it leads back to; the cookie has the environment. */
export const zoneForm = (search: string, zone: string): Html => {
  return html`<form method="get" class="zone">${keptParameters(search, parameter).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`
  )}<label for="${parameter}">Times are in</label> <select id="${parameter}" name="${parameter}">${!zones.some(([one]) => one === zone) && html`<option value="${zone}" selected>${zone.replaceAll("_", " ")}</option>`}${zones.map(
    ([one, name]) => html`<option value="${one}"${one === zone && html` selected`}>${say(name)}</option>`
  )}</select> <button>Set</button></form>`
}
