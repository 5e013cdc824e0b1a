export { httpException } from "./decoding/HttpException.ts"
export { errorReply, logFault, readRefusal, refusalReply } from "./listener/Envelope.ts"
