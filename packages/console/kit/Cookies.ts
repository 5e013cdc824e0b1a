/** The session of a signed-in person. */
export const sessionCookie = "carteiro_session"

/** Binds the sign-in form to the browser it was shown in, and remembers where to go afterwards. */
export const signInCookie = "carteiro_sign_in"

/** Remembers which environment a person looks at, for pages whose address names none. */
export const environmentCookie = "carteiro_environment"

/** Remembers the time zone that a person reads times in. */
export const timeZoneCookie = "carteiro_time_zone"

/** Remembers the language that a person reads pages in. */
export const languageCookie = "carteiro_language"

/** Remembers the columns of a list that a person looks at, on the pages of that list. */
export const columnsCookie = "carteiro_columns"

/** How long a choice is remembered: a year, in seconds. */
export const rememberedSeconds = 31_536_000

/**
 * Where the session is sent: to the dashboard, and to the routes of the API that people decide with it.
 */
export const sessionPath = "/"

/**
 * Returns the value of a cookie. Of several it is the last: browsers send longer paths first, and sessions of earlier releases
 * stand under `/dashboard`.
 */
export const readCookie = (header: string | undefined, name: string): string | undefined => {
  const found = (header?.split(";") ?? []).findLast(
    (pair) => pair.slice(0, Math.max(0, pair.indexOf("="))).trim() === name
  )
  return found?.slice(found.indexOf("=") + 1).trim()
}

/**
 * A cookie that scripts cannot read, other sites cannot send with a form, and plain connections never carry but to the
 * machine itself. Seconds; 0 forgets it.
 */
export const setCookie = (name: string, value: string, path: string, seconds: number): string =>
  `${name}=${value}; Path=${path}; Max-Age=${seconds}; HttpOnly; Secure; SameSite=Lax`
