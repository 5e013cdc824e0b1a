import type { Caller } from "@carteiro/http-edge/Admission.ts"
import type { OperationReply } from "@carteiro/http-edge/Reply.ts"
import type { RawRequest } from "@carteiro/http-edge/Routes.ts"
import type { KeyScope } from "@carteiro/schema/conventions/Access.ts"
import type { ToolValues } from "./ApiTools.ts"
import { type Arguments, inputSchemaOf } from "./ToolArguments.ts"

/** A call of a tool with an admitted key. */
export interface ToolCall {
  readonly http: RawRequest
  readonly caller: Caller
}

/** A tool of the endpoint. */
export interface Tool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly arguments: Arguments
  readonly isReadOnly: boolean
  /** True when a key sees the tool; a call by any other key is refused by the called operation. */
  readonly isFor: (caller: Caller) => boolean
  /** The scopes that the endpoint checks itself; none when an operation of the API checks them. */
  readonly scopes: ReadonlyArray<KeyScope>
  readonly call: (call: ToolCall, values: ToolValues) => OperationReply
}

/** Returns a tool as `tools/list` shows it. */
export const shownTool = ({ arguments: given, description, isReadOnly, name, title }: Tool): object => ({
  name,
  title,
  description,
  inputSchema: inputSchemaOf(given),
  annotations: { readOnlyHint: isReadOnly, openWorldHint: false }
})
