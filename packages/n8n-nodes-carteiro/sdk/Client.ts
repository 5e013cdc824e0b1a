import {
  type IDataObject,
  type IExecuteFunctions,
  type IHookFunctions,
  type IHttpRequestMethods,
  type IHttpRequestOptions,
  type ILoadOptionsFunctions,
  type IN8nHttpFullResponse,
  type INode,
  type JsonObject,
  NodeApiError,
  NodeOperationError
} from "n8n-workflow"
import { Carteiro } from "../../sdk/generated/Carteiro.ts"
import { CarteiroApiError } from "../../sdk/transport/Errors.ts"
import { timing } from "./Timing.ts"

type Caller = IExecuteFunctions | IHookFunctions | ILoadOptionsFunctions

const credential = "carteiroApi"

/** Returns the client of a node's credential. Its calls leave through n8n, with n8n's proxy, log and limits. */
export const clientOf = async (caller: Caller): Promise<Carteiro> => {
  const { apiKey, baseUrl } = await caller.getCredentials<{ apiKey: string; baseUrl: string }>(credential)
  return new Carteiro({ apiKey, baseUrl, timing, fetch: (address, init) => sent(caller, String(address), init) })
}

/** Sends a request of the client with n8n's helper. Capability URLs carry no key, and get none here. */
const sent = async (caller: Caller, url: string, init: RequestInit = {}): Promise<Response> => {
  const { authorization, ...headers } = init.headers as Record<string, string>
  const options: IHttpRequestOptions = {
    method: init.method as IHttpRequestMethods,
    url,
    headers,
    ...(init.body == null ? {} : { body: bytesOf(init.body) }),
    ...(init.signal == null ? {} : { abortSignal: init.signal as NonNullable<IHttpRequestOptions["abortSignal"]> }),
    encoding: "arraybuffer",
    returnFullResponse: true,
    ignoreHttpStatusErrors: true,
    disableFollowRedirect: true
  }
  const request: Promise<IN8nHttpFullResponse> =
    authorization === undefined
      ? caller.helpers.httpRequest(options)
      : caller.helpers.httpRequestWithAuthentication.call(caller, credential, options)
  const answer = await Promise.race([request, aborted(init.signal)])
  const hasNoBody = [204, 205, 304].includes(answer.statusCode)
  return new Response(hasNoBody ? null : (answer.body as unknown as Uint8Array<ArrayBuffer>), {
    status: answer.statusCode,
    headers: Object.entries(answer.headers).map(([name, value]): [string, string] => [name, String(value)])
  })
}

/** Rejects when the signal aborts: n8n puts the signal of the execution in the place of the client's own. */
const aborted = (signal: AbortSignal | null | undefined): Promise<never> =>
  new Promise((_, reject) => {
    if (signal?.aborted === true) reject(signal.reason)
    else signal?.addEventListener("abort", () => reject(signal.reason), { once: true })
  })

/** Bytes pass through n8n unchanged; texts might be parsed and written again. */
const bytesOf = (body: BodyInit): Buffer =>
  typeof body === "string" ? Buffer.from(body) : Buffer.from(body as Uint8Array<ArrayBuffer>)

/**
 * Returns the error that n8n shows for a failed item: the API's sentence, its code, and where to read on. A sentence of the
 * node's own takes the place of the API's where the remedy is in n8n.
 */
export const shownError = (
  node: INode,
  error: unknown,
  itemIndex: number,
  sentence?: string
): NodeApiError | NodeOperationError => {
  if (!(error instanceof CarteiroApiError)) return new NodeOperationError(node, error as Error, { itemIndex })
  const { code, docUrl, param, requestId, status } = error
  const message = sentence ?? error.message
  const facts = [
    `Code: ${code}`,
    ...(param === undefined || param === null ? [] : [`parameter: ${param}`]),
    ...(requestId === undefined ? [] : [`request: ${requestId}`]),
    ...(docUrl === undefined ? [] : [`more: ${docUrl}`])
  ]
  return new NodeApiError(node, { message, code, status } as unknown as JsonObject, {
    message,
    description: facts.join(", "),
    httpCode: String(status),
    itemIndex
  })
}

/** Returns an object of the API as n8n types items. */
export const json = (value: object): IDataObject => value as IDataObject
