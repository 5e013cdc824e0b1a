/** The session of a signed-in person. */
export const sessionCookie = "carteiro_session"

/** Binds the sign-in form to the browser it was shown in, and remembers where to go afterwards. */
export const signInCookie = "carteiro_sign_in"

/** The value of a cookie; the first one when a browser sends several. */
export const readCookie = (header: string | undefined, name: string): string | undefined => {
  for (const pair of header?.split(";") ?? []) {
    const equals = pair.indexOf("=")
    if (equals > 0 && pair.slice(0, equals).trim() === name) return pair.slice(equals + 1).trim()
  }
  return undefined
}

/**
 * A cookie that scripts cannot read, other sites cannot send with a form, and plain connections never carry but to the
 * machine itself. Seconds; 0 forgets it. gaps-1 C "Dashboard sessions and roles"
 */
export const setCookie = (name: string, value: string, path: string, seconds: number): string =>
  `${name}=${value}; Path=${path}; Max-Age=${seconds}; HttpOnly; Secure; SameSite=Lax`
