import type { Call, Handler, SimulatedAnswer } from "../kit/Routes.ts"
import { checkProof } from "./app/Proof.ts"
import { vendorError } from "./VendorErrors.ts"
import type { SimFile, SimNumber, World } from "./World.ts"

type MaybeLater = SimulatedAnswer | undefined | Promise<SimulatedAnswer | undefined>

/** The routes of one platform as its callers reach them: with a token, and only what that token reaches. */
export class Access {
  private readonly world: World

  constructor(world: World) {
    this.world = world
  }

  /** Makes a route about the thing in the second segment, of an account that the caller's token reaches. */
  of<A extends { readonly biz_account_id: string }>(
    find: (id: string) => A | undefined,
    handle: (thing: A, call: Call) => MaybeLater
  ): Handler {
    return (call) => {
      const token = tokenOf(call)
      if (token === undefined || !this.world.tokens.has(token)) return vendorError(190)
      const unproven = checkProof(this.world, token, call)
      if (unproven !== undefined) return unproven
      const thing = find(call.places[1] ?? "")
      if (thing === undefined || !this.world.reaches(token, thing.biz_account_id)) {
        return vendorError(100, "no such object")
      }
      return handle(thing, call)
    }
  }

  ofNumber(handle: (number: SimNumber, call: Call) => MaybeLater): Handler {
    return this.of((id) => this.world.numbers.get(id), handle)
  }

  ofAccount(handle: (biz_account_id: string, call: Call) => MaybeLater): Handler {
    return this.of(
      (id) => ({ biz_account_id: id }),
      ({ biz_account_id }, call) => handle(biz_account_id, call)
    )
  }

  /** Makes a route about the file in a segment, which any token of the app reaches. */
  ofFile(segment: number, handle: (file: SimFile, call: Call) => SimulatedAnswer | undefined): Handler {
    return (call) => {
      const token = tokenOf(call)
      if (token === undefined || !this.world.tokens.has(token)) return vendorError(190)
      const file = this.world.files.get(call.places[segment] ?? "")
      return file === undefined ? vendorError(100, "no such object") : handle(file, call)
    }
  }

  /** Makes a route of the app itself: with its own token, `{id}|{secret}`, or that of one of its accounts. */
  ofApp(handle: (call: Call, token: string) => SimulatedAnswer): Handler {
    return (call) => {
      // The app's secret may be changed while the platform runs.
      const { appId, appSecret } = this.world.options
      const token = tokenOf(call)
      if (token === `${appId}|${appSecret}`) return handle(call, token)
      if (token === undefined || !this.world.tokens.has(token)) return vendorError(190)
      return checkProof(this.world, token, call) ?? handle(call, token)
    }
  }
}

const tokenOf = ({ headers, query }: Call): string | undefined =>
  /^(?:Bearer|OAuth) (.+)$/.exec(headers.authorization ?? "")?.[1] ?? query.get("access_token") ?? undefined
