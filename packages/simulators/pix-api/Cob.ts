import { pixCode } from "../pix/PixCode.ts"
import { qrCode } from "../pix/QrCode.ts"
import type { CobRequest } from "./CobRules.ts"
import type { Location } from "./Locations.ts"
import type { Receiver } from "./Receivers.ts"

export type CobStatus = "ATIVA" | "CONCLUIDA" | "REMOVIDA_PELO_USUARIO_RECEBEDOR" | "REMOVIDA_PELO_PSP"

/** A refund of a receipt. Times are epoch milliseconds. */
export interface Devolution {
  readonly id: string
  readonly rtrId: string
  readonly centavos: number
  readonly description: string | null
  readonly requestedAt: number
  settledAt: number | null
  status: "EM_PROCESSAMENTO" | "DEVOLVIDO" | "NAO_REALIZADO"
}

/** A received Pix. */
export interface Receipt {
  readonly endToEndId: string
  readonly cob: Cob
  readonly centavos: number
  readonly paidAt: number
  readonly devolutions: Array<Devolution>
}

/** An immediate charge of a receiver. Times are epoch milliseconds. */
export interface Cob {
  readonly txid: string
  readonly receiver: Receiver
  readonly createdAt: number
  request: CobRequest
  revision: number
  status: CobStatus
  location: Location | null
  receipt: Receipt | null
  /** The charge at each revision, for reads of an older one. */
  readonly revisions: Array<CobRequest>
}

/** Returns the centavos of a receipt that were not given back and are not on their way. */
export const refundable = ({ centavos, devolutions }: Receipt): number =>
  devolutions.reduce((rest, one) => rest - (one.status === "NAO_REALIZADO" ? 0 : one.centavos), centavos)

/** Returns the code that a bank's app takes; undefined for a charge without a location. */
export const codeOf = ({ location, request }: Cob): string | undefined =>
  location === null ? undefined : pixCode(location.token, request.centavos)

/** Returns a PNG of a charge's code, in base64. */
export const pictureOf = (cob: Cob): Promise<string> => qrCode(codeOf(cob) ?? "")
