import type { MemberRole } from "@carteiro/schema/conventions/Access.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import type { Language } from "@carteiro/schema/conventions/Language.ts"
import { Context, type Effect } from "effect"

/** A signed-in member, as the rows are now. */
export interface Session {
  readonly organization: {
    readonly id: string
    readonly name: string
    /** Epoch milliseconds; null while it is not suspended. */
    readonly suspended_at: number | null
    readonly credit_blocked: boolean
  }
  readonly member: {
    readonly id: string
    readonly name: string
    readonly email: string
    readonly role: MemberRole
    /** In which e-mails are written; null before the first choice or sign-in. */
    readonly language: Language | null
  }
  /** Until when wrong user codes have locked the form of codes, epoch milliseconds; null while it is open. */
  readonly lockedUntil: number | null
  /** Belongs into every form of one page of this session; another page has another value. */
  readonly csrf: string
}

/** A form that a page of a session made. */
export interface PageForm {
  /** One value a page: all its forms carry it. */
  readonly nonce: string
  /** When the page was made, epoch milliseconds. */
  readonly shownAt: number
}

/** Sessions of the console: a cookie holds a token, and here it becomes a person. */
export class Sessions extends Context.Service<
  Sessions,
  {
    /** How long a link works and how long a session lasts, in milliseconds. */
    readonly lifetimes: { readonly link: number; readonly session: number }
    /** Whom a link would sign in; undefined once it was used or has ended. Looking does not use it. */
    peek(linkToken: string, now: number): Effect.Effect<Pick<Session, "organization" | "member"> | undefined>
    /**
     * Uses a link up and begins a session in the reader's language; answers its token. Of two who come together one gets in.
     */
    begin(linkToken: string, language: Language, now: number): Effect.Effect<string | undefined, ApiError>
    /** The session of a cookie, while it lasts and its member is active. */
    find(token: string, now: number): Effect.Effect<Session | undefined>
    /** Returns the form that carries a value of a page; undefined when no page of this session made it. */
    readForm(token: string, csrf: string): PageForm | undefined
    /**
     * Returns the idempotency key of what a form does: the same each time the form is sent, and another for another page,
     * session or address. Decision 0149
     */
    formKey(token: string, form: PageForm, path: string): string
    /** Writes a language that the member chose. */
    setLanguage(session: Session, language: Language): Effect.Effect<void, ApiError>
    end(token: string, now: number): Effect.Effect<void, ApiError>
    /** Counts one more wrong user code; answers `lockedUntil` of the session after it. */
    wrongCode(token: string, now: number): Effect.Effect<number | null, ApiError>
    /** The value of a form shown before anybody is signed in, bound to a cookie's nonce. */
    formValue(nonce: string): string
    formHolds(nonce: string, value: string): boolean
    newNonce(): string
  }
>()("@carteiro/console/ports/Sessions") {}

/** Makes the link with which a member signs in. */
export class SignIn extends Context.Service<
  SignIn,
  {
    /** A URL that signs the member in once, within 15 minutes; only a hash of what it holds is kept. */
    link(organizationId: string, memberId: string, now: number): Effect.Effect<string, ApiError>
  }
>()("@carteiro/console/ports/SignIn") {}
