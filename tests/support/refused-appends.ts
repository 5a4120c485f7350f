import { Client } from 'pg'

/** Makes the event store of a database refuse events of a type while a function runs. One type at a time. */
export async function withRefusedAppends(databaseUrl: string, type: string, run: () => Promise<void>): Promise<void> {
  const owner = new Client({ connectionString: databaseUrl })
  await owner.connect()
  try {
    await owner.query(`
      create or replace function es.refuse() returns trigger language plpgsql as
        $$ begin raise exception 'refused'; end $$;
      create trigger refuse before insert on es.events for each row when (new.type = '${type}')
        execute function es.refuse()`)
    await run()
  } finally {
    await owner.query('drop trigger refuse on es.events')
    await owner.end()
  }
}
