import { timingSafeEqual } from "node:crypto"
import { type Session, Sessions } from "@carteiro/console/Ports.ts"
import { Commit } from "@carteiro/owners/Commit.ts"
import { Ids } from "@carteiro/owners/Ids.ts"
import type { Language } from "@carteiro/schema/conventions/Language.ts"
import { Secrets } from "@carteiro/secrets/Secrets.ts"
import { Effect, Layer } from "effect"
import { afterWrongCode, isLocked, lockMillis, mostWrongCodes, type UserCodeLock } from "../devices/UserCodeLock.ts"
import { setMemberLanguage } from "../members/MemberRepo.ts"
import { Members } from "../members/Members.ts"
import { Organizations } from "../tenancy/Organizations.ts"
import { type Holder, hexOf, lockSession, SessionRepo, useLink } from "./SessionRepo.ts"
import { linkLifetime } from "./SignIn.ts"

/** How long a session lasts: 12 hours; milliseconds. gaps-1 C "Dashboard sessions and roles" */
const sessionLifetime = 43_200_000

/** Keeps sessions: cookies hold tokens, rows hold hashes. gaps-1 C "Dashboard sessions and roles" */
export const sessionsLayer = Layer.effect(
  Sessions,
  Effect.gen(function* () {
    const repo = yield* SessionRepo
    const members = yield* Members
    const organizations = yield* Organizations
    const commit = yield* Commit
    const secrets = yield* Secrets
    const ids = yield* Ids

    const randomToken = () => Buffer.from(ids.bytes(32)).toString("base64url")
    const sessionHashes = (token: string) => secrets.macs("cookie", `session/${token}`)
    const csrfOf = (token: string, now: number) => {
      const nonce = `${now.toString(36)}-${Buffer.from(ids.bytes(12)).toString("base64url")}`
      return `${nonce}.${secrets.macText("cookie", `csrf/${token}/${nonce}`)}`
    }
    const formOf = (nonce: string) => secrets.macText("cookie", `form/${nonce}`)
    const holds = (purpose: string, value: string) =>
      secrets.macs("cookie", purpose).some((mac) => {
        const shown = Buffer.from(value, "base64url")
        return shown.length === mac.length && timingSafeEqual(shown, mac)
      })

    /** Returns whom a link signs in; undefined once the member was deactivated after it was made. */
    const people = Effect.fnUntraced(function* ({ organization_id, member_id, created_at }: Holder) {
      const organization = yield* organizations.find(organization_id)
      const member = yield* members.find(organization_id, member_id)
      if (organization === undefined || member?.active !== true) return undefined
      return member.signed_out_at === null || created_at > member.signed_out_at ? { organization, member } : undefined
    })

    return Sessions.of({
      lifetimes: { link: linkLifetime, session: sessionLifetime },
      peek: Effect.fnUntraced(function* (linkToken, now) {
        const link = yield* repo.findLink(secrets.macs("sign_in", linkToken), now)
        return link === undefined ? undefined : yield* people(link)
      }),
      begin: Effect.fnUntraced(function* (linkToken, language, now) {
        const link = yield* repo.findLink(secrets.macs("sign_in", linkToken), now)
        const holder = link && (yield* people(link))
        if (link === undefined || holder === undefined) return undefined
        const token = randomToken()
        const written = yield* commit.write([
          repo.useLink(link.token_hash, now),
          repo.insertSession({
            ...link,
            token_hash: secrets.mac("cookie", `session/${token}`),
            created_at: now,
            expires_at: now + sessionLifetime
          }),
          ...languageRows(holder, language)
        ])
        return written(useLink.name).has(hexOf(link.token_hash)) ? token : undefined
      }),
      find: Effect.fnUntraced(function* (token, now) {
        const row = yield* repo.findSignedIn(sessionHashes(token), now)
        if (row === undefined) return undefined
        const { lock, member, organization } = row
        return { organization, member, lockedUntil: lockedUntil(lock, now), csrf: csrfOf(token, now) }
      }),
      readForm: (token, csrf) => {
        const [, nonce = "", shownAt = "", mac = ""] = csrfShape.exec(csrf) ?? []
        return holds(`csrf/${token}/${nonce}`, mac) ? { nonce, shownAt: Number.parseInt(shownAt, 36) } : undefined
      },
      formKey: (token, { nonce }, path) => secrets.macText("cookie", `form key/${token}/${nonce}/${path}`),
      setLanguage: (session, language) => Effect.asVoid(commit.write(languageRows(session, language))),
      end: Effect.fnUntraced(function* (token, now) {
        const row = yield* repo.findSession(sessionHashes(token), now)
        if (row !== undefined) yield* commit.write([repo.endSession(row.token_hash, now)])
      }),
      // Many tabs may count at once: each wrong code is one step of the rule, in whatever order they came. A tab that as
      // many others were faster than as lock the form finds it locked.
      wrongCode: Effect.fnUntraced(function* (token, now) {
        for (let faster = 0; faster < mostWrongCodes; faster++) {
          const row = yield* repo.findSession(sessionHashes(token), now)
          if (row === undefined) return null
          if (isLocked(row.lock, now)) return row.lock.locked_until
          const next = afterWrongCode(row.lock, now)
          const written = yield* commit.write([repo.lockSession(row.token_hash, row.lock, next)])
          if (written(lockSession.name).has(hexOf(row.token_hash))) return lockedUntil(next, now)
        }
        return now + lockMillis
      }),
      formValue: formOf,
      formHolds: (nonce, value) => holds(`form/${nonce}`, value),
      newNonce: randomToken
    })
  })
)

/** Returns the row of a member's language where it is another one now. */
const languageRows = ({ member, organization }: Pick<Session, "member" | "organization">, language: Language) =>
  member.language === language
    ? []
    : [setMemberLanguage.row({ organization_id: organization.id, id: member.id, language })]

/** The value of a form: the time of its page and a random text, which together are the nonce, and their MAC. */
const csrfShape = /^(([0-9a-z]{8,9})-[\w-]{16})\.([\w-]{43})$/

const lockedUntil = (lock: UserCodeLock, now: number): number | null => (isLocked(lock, now) ? lock.locked_until : null)
