import type { ResponseHeaders } from "@carteiro/http-edge/Reply.ts"
import type { RawRequest } from "@carteiro/http-edge/Routes.ts"
import {
  environmentCookie,
  languageCookie,
  readCookie,
  rememberedSeconds,
  setCookie,
  timeZoneCookie
} from "./Cookies.ts"
import { queryParameter } from "./Forms.ts"
import { type Language, languageNamed, wantedLanguage } from "./Language.ts"
import { languageParameter, type Standing } from "./Layout.ts"
import type { VisitedEnvironment } from "./Switch.ts"
import { chosenZone, isZoneKnown, zoneOf } from "./TimeZone.ts"

/** Returns the language that the address chooses; undefined where it chooses none. */
export const chosenLanguage = (request: Pick<RawRequest, "search">): Language | undefined =>
  languageNamed(queryParameter(request, languageParameter))

/** Returns the language that the address chooses, else the remembered one, else the one that the browser wants. */
export const languageOf = (request: Pick<RawRequest, "headers" | "search">): Language =>
  chosenLanguage(request) ??
  languageNamed(readCookie(request.headers.cookie, languageCookie)) ??
  wantedLanguage(request.headers["accept-language"])

/** Returns how the visitor reads pages and times, and the address that a choice of them leads back to. */
export const readerOf = (request: RawRequest): Pick<Standing, "language" | "zone" | "isZoneUnknown" | "search"> => ({
  language: languageOf(request),
  zone: zoneOf(request, languageOf(request)),
  isZoneUnknown: !isZoneKnown(request),
  ...(request.method === "GET" && { search: request.search })
})

/** Returns the cookie of a chosen language or time zone, else of the environment that is looked at, where the browser lacks it. */
export const remember = (request: RawRequest, environment: VisitedEnvironment | undefined): ResponseHeaders => {
  const language = chosenLanguage(request)
  if (language !== undefined) {
    return { "set-cookie": setCookie(languageCookie, language, "/", rememberedSeconds) }
  }
  const zone = chosenZone(request)
  if (zone !== undefined) {
    return { "set-cookie": setCookie(timeZoneCookie, zone, "/dashboard", rememberedSeconds) }
  }
  const id = environment?.current.id
  return id === undefined || readCookie(request.headers.cookie, environmentCookie) === id
    ? {}
    : { "set-cookie": setCookie(environmentCookie, id, "/dashboard", rememberedSeconds) }
}
