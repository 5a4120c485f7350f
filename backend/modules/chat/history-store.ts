import { z } from 'zod'
import { ChatAction, type ChatMessage, ChatSource, historyLength, maxKeptMessages } from '#contracts/assistant.ts'
import { hasPermission, Permission } from '#contracts/values/roles.ts'
import type { Migration } from '#database/migrations.ts'
import { decrypt, encrypt, type Key } from '#encryption/cipher.ts'
import type { DataKeys } from '#encryption/key-store.ts'
import type { Member } from '#http/session.ts'
import type { Services } from '#modules/module.ts'

/**
 * The messages of users. `content` is encrypted with the data keys of the patients that it names, and then with that of its
 * user: it can no longer be read once one of these keys is destroyed.
 */
export const chatMessagesMigration: Migration = {
  id: 'chat-001-messages',
  sql: `create table app.chat_messages (
          id uuid primary key,
          user_id uuid not null,
          practice_id uuid not null,
          -- The order of the messages: a question and its answer have the same time.
          number bigint generated always as identity,
          type text not null check (type in ('user', 'assistant')),
          patient_ids uuid[] not null,
          content bytea not null,
          created_at timestamptz not null);
        create index on app.chat_messages (user_id, practice_id, number);`,
}

/** The encrypted part of a message. `permissions` are those that its text needed. */
const Content = z.strictObject({
  text: z.string(),
  sources: z.array(ChatSource),
  actions: z.array(ChatAction),
  permissions: z.array(Permission),
})
type Content = z.infer<typeof Content>

/** A message to store, with the ids of the patients that it names. */
export type NewMessage = Content & { id: string; type: ChatMessage['type']; patientIds: readonly string[] }

type Row = { id: string; type: ChatMessage['type']; patient_ids: string[]; content: Buffer; created_at: Date }

type StoreServices = Pick<Services, 'pool' | 'keyStore'>

/** The owner of a history: a user within one practice. */
type Owner = Pick<Member, 'userId' | 'practiceId'>

const erasedText = 'This message named a patient whose record was erased.'
const withheldText = 'Your role no longer includes this answer.'

/** Binds a message to its place: it cannot be moved to another user or practice. */
const createContext = ({ userId, practiceId }: Owner, { id, type }: Pick<Row, 'id' | 'type'>) =>
  JSON.stringify(['chat', userId, practiceId, id, type])

/** The subjects whose keys encrypt a message, from the inside out. */
const getSubjects = ({ userId }: Owner, patientIds: readonly string[]) => [...patientIds, userId]

/** Stores a question and its answer, and deletes the oldest messages of the user. Messages that are stored already stay. */
export async function storeMessages(
  { pool, keyStore }: StoreServices,
  owner: Owner,
  messages: readonly NewMessage[],
  at: Date,
): Promise<void> {
  const subjects = new Set(messages.flatMap(({ patientIds }) => getSubjects(owner, patientIds)))
  const keys = await keyStore.getOrCreateMany([...subjects])
  const rows = messages.map(({ id, type, patientIds, text, sources, actions, permissions }) => {
    const content: Content = { text, sources, actions, permissions }
    const context = createContext(owner, { id, type })
    let encrypted: Buffer = Buffer.from(JSON.stringify(content))
    for (const subject of getSubjects(owner, patientIds))
      encrypted = encrypt(keys.get(subject) as Key, context, encrypted)
    return { id, type, patientIds, content: encrypted.toString('base64') }
  })
  await pool.query(
    `insert into app.chat_messages (id, user_id, practice_id, type, patient_ids, content, created_at)
     select m.id, $1, $2, m.type, m."patientIds", decode(m.content, 'base64'), $3
     from rows from (jsonb_to_recordset($4::jsonb) as (id uuid, type text, "patientIds" uuid[], content text))
       with ordinality as m (id, type, "patientIds", content, position)
     order by m.position
     on conflict (id) do nothing`,
    [owner.userId, owner.practiceId, at, JSON.stringify(rows)],
  )
  await pool.query(
    `delete from app.chat_messages where user_id = $1 and practice_id = $2 and number < (
       select min(number) from (
         select number from app.chat_messages where user_id = $1 and practice_id = $2
         order by number desc limit $3) as kept)`,
    [owner.userId, owner.practiceId, maxKeptMessages],
  )
}

/** Returns the last messages of a caller in the practice, oldest first. */
export async function findHistory({ pool, keyStore }: StoreServices, caller: Member): Promise<ChatMessage[]> {
  const { rows } = await pool.query<Row>(
    `select id, type, patient_ids, content, created_at from app.chat_messages
     where user_id = $1 and practice_id = $2 order by number desc limit $3`,
    [caller.userId, caller.practiceId, historyLength],
  )
  if (rows.length === 0) return []
  const keys = await keyStore.getMany([...new Set(rows.flatMap((row) => getSubjects(caller, row.patient_ids)))])
  return rows.toReversed().map((row) => toMessage(caller, keys, row))
}

function toMessage(caller: Member, keys: DataKeys, row: Row): ChatMessage {
  const { id, type } = row
  const message = { id, type, timestamp: row.created_at.toISOString(), sources: [], actions: [] }
  const content = open(caller, keys, row)
  if (!content) return { ...message, content: erasedText }
  const { text, sources, actions, permissions } = content
  if (!permissions.every((permission) => hasPermission(caller, permission)))
    return { ...message, content: withheldText }
  return { ...message, content: text, sources, actions }
}

/** Decrypts a message; returns null when one of its keys was destroyed. */
function open(owner: Owner, keys: DataKeys, row: Row): Content | null {
  const context = createContext(owner, row)
  let content: Buffer | null = row.content
  for (const subject of getSubjects(owner, row.patient_ids).toReversed()) {
    const key = keys.get(subject)
    content = key && content ? decrypt(key, context, content) : null
  }
  return content && Content.parse(JSON.parse(content.toString('utf8')))
}

/** Deletes all messages of a user in a practice. */
export async function deleteHistory({ pool }: Pick<Services, 'pool'>, { userId, practiceId }: Owner): Promise<void> {
  await pool.query('delete from app.chat_messages where user_id = $1 and practice_id = $2', [userId, practiceId])
}
