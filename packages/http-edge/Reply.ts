export { compressedPage } from "./contract/Compression.ts"
export {
  type BytesReply,
  htmlReply,
  type OperationReply,
  type Reply,
  type ResponseHeaders,
  rawReply,
  readReply,
  reply,
  replyInTurns,
  valueReply,
  warningHeader,
  withHeader,
  withWarning
} from "./contract/Reply.ts"
export { staticBody } from "./contract/StaticBody.ts"
