export { Cursors } from "./paging/Cursors.ts"
export { idPage, type ListPage, listPage, type PageRow, pageReply, pageSize, writeItems } from "./paging/Page.ts"
