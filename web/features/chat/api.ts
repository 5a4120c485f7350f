import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import {
  askAssistant,
  chatApology,
  type ChatMessage,
  deleteChatHistory,
  describeAssistant,
  getChatHistory,
} from '#contracts/assistant.ts'
import { call } from '#web/api/call.ts'

/** Query for the messages of the user, oldest first; fetched whenever the dialog opens. */
export const chatHistoryQuery = queryOptions({
  queryKey: ['chat', 'history'],
  queryFn: ({ signal }) => call(getChatHistory, {}, signal),
  staleTime: 0,
  // A refetch would drop the messages that only this window has.
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
  retry: false,
})

/** Query for the model that reads questions; it changes only when the application starts again. */
export const assistantQuery = queryOptions({
  queryKey: ['chat', 'assistant'],
  queryFn: ({ signal }) => call(describeAssistant, {}, signal),
  staleTime: Infinity,
  retry: false,
})

let localMessages = 0

/** Appends a message to those on screen, until they are fetched again. */
function append(queries: QueryClient, message: Pick<ChatMessage, 'type' | 'content'> & Partial<ChatMessage>): void {
  localMessages += 1
  const added = {
    id: `local-${localMessages}`,
    timestamp: new Date().toISOString(),
    sources: [],
    actions: [],
    ...message,
  }
  queries.setQueryData(chatHistoryQuery.queryKey, (messages = []) => [...messages, added])
}

/** Asks the assistant: the question is shown at once, then the answer or, without one, an apology. */
export function useAskAssistant() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (message: string) => call(askAssistant, { body: { message } }),
    onMutate: (message) => append(queries, { type: 'user', content: message }),
    onSuccess: ({ response, sources, actions }) =>
      append(queries, { type: 'assistant', content: response, sources, actions }),
    onError: () => append(queries, { type: 'assistant', content: chatApology }),
  })
}

/** Deletes all messages of the user. */
export function useDeleteHistory() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => call(deleteChatHistory, {}),
    onSuccess: () => queries.setQueryData(chatHistoryQuery.queryKey, []),
  })
}
