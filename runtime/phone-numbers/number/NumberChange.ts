import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import type { ApiError, ApiErrorClass } from "@carteiro/schema/conventions/ApiError.ts"
import { formatTimestamp } from "@carteiro/schema/conventions/Timestamp.ts"
import {
  PhoneNumberNotConvertible,
  PhoneNumberNotRemovable,
  PhoneNumberTransferEnvironmentKindMismatch,
  PhoneNumberTransferSameEnvironment
} from "@carteiro/schema/phone-numbers/PhoneNumberErrors.ts"
import { type JsonText, jsonText, readJson } from "@carteiro/tables/StoredJson.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import type { Enrollment, NumberRow } from "./NumberRead.ts"
import { nextStatus } from "./NumberState.ts"
import { convertNumber, disconnectNumber, endEnrollment, requestRelease } from "./NumberWrites.ts"

/** A change of a number that its state allows. */
export interface NumberChange {
  /** The write whose condition on the stored state decides between two concurrent calls. */
  readonly write: string
  readonly rows: ReadonlyArray<Row>
  /** The status code of the response. */
  readonly status: 200 | 202
  readonly after: NumberRow
  /** True for a number that is already as the call asks. */
  readonly isDone: (row: NumberRow) => boolean
  /** The refusal when the stored state no longer allows the change. */
  readonly Refusal: ApiErrorClass<string>
}

/** Requests a release; `done` when it was already requested. gaps-2 K "Release, disconnect, convert" */
export const release = (row: NumberRow, now: number): NumberChange | "done" | ApiError => {
  if (isGivenBack(row)) return "done"
  const status = nextStatus(row, "request_release")
  if (status === undefined) return new PhoneNumberNotRemovable()
  const { environment_id, id } = row
  return {
    write: requestRelease.name,
    rows: [requestRelease.row({ environment_id, id, updated_at: now })],
    status: 202,
    after: { ...row, status, updated_at: now },
    isDone: isGivenBack,
    Refusal: PhoneNumberNotRemovable
  }
}

/** Disconnects a number, which ends its enrollment. gaps-2 K "Release, disconnect, convert" */
export const disconnect = (row: NumberRow, now: number): NumberChange | "done" | ApiError => {
  if (isDisconnected(row)) return "done"
  const status = nextStatus(row, "disconnect")
  if (status === undefined) return new PhoneNumberNotRemovable()
  const { environment_id, id } = row
  return {
    write: disconnectNumber.name,
    rows: [
      disconnectNumber.row({ environment_id, id, updated_at: now }),
      endEnrollment.row({ phone_number_id: id, ended_at: now })
    ],
    status: 200,
    after: { ...withEndedEnrollment(row, now), status, updated_at: now },
    isDone: isDisconnected,
    Refusal: PhoneNumberNotRemovable
  }
}

/** Ends the enrollment of an imported number, and its suspension. gaps-2 K "Release, disconnect, convert" */
export const convert = (row: NumberRow, now: number): NumberChange | "done" | ApiError => {
  if (row.enrollment === null) return new PhoneNumberNotConvertible()
  if (isConverted(row)) return "done"
  const { environment_id, id } = row
  return {
    write: convertNumber.name,
    rows: [
      convertNumber.row({ environment_id, id, updated_at: now }),
      endEnrollment.row({ phone_number_id: id, ended_at: now })
    ],
    status: 200,
    after: { ...withEndedEnrollment(row, now), suspended_at: null, updated_at: now },
    isDone: isConverted,
    Refusal: PhoneNumberNotConvertible
  }
}

/** Refuses a transfer into the number's own environment, and between sandbox and production. M-TRF-01..08 */
export const transferRefusal = (
  from: { readonly environment_id: string; readonly environment: EnvironmentKind },
  target: { readonly id: string; readonly kind: EnvironmentKind }
): ApiError | undefined => {
  const param = "target_environment_id"
  if (target.id === from.environment_id) return new PhoneNumberTransferSameEnvironment({ param })
  return target.kind === from.environment ? undefined : new PhoneNumberTransferEnvironmentKindMismatch({ param })
}

const isGivenBack = ({ status }: NumberRow): boolean => status === "release_requested" || status === "released"

const isDisconnected = ({ status }: NumberRow): boolean => status === "disconnected"

const isConverted = ({ enrollment }: NumberRow): boolean => enrollment !== null && isEnded(enrollment)

const isEnded = (enrollment: JsonText<Enrollment>): boolean => readJson(enrollment).status === "ended"

const withEndedEnrollment = (row: NumberRow, at: number): NumberRow =>
  row.enrollment === null || isEnded(row.enrollment)
    ? row
    : {
        ...row,
        enrollment: jsonText({
          ...readJson(row.enrollment),
          status: "ended",
          ended_at: formatTimestamp(at)
        })
      }
