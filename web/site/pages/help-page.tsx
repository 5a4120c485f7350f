import { TextPage } from '#web/site/parts.tsx'
import { Picture, type PictureName } from '#web/site/picture.tsx'

type HowTo = { id: string; title: string; steps: readonly string[]; picture?: { name: PictureName; alt: string } }

const howTos: readonly HowTo[] = [
  {
    id: 'start',
    title: 'Set up a practice',
    steps: [
      'Create a free account and sign in.',
      'Enter the name and address of the practice. Its time zone is that of your computer; Practice Settings changes it.',
      'Choose a plan, or look around first: sample patients and appointments are already there.',
    ],
    picture: { name: 'dashboard', alt: 'The dashboard of a practice' },
  },
  {
    id: 'import',
    title: 'Bring the patients of another system',
    steps: [
      'Export the patient list of the other system as CSV.',
      'Open Patients, choose Import, and choose the file.',
      'Check what each column was taken for, and the rows that need a look.',
      'Import. For 30 days, one click undoes it.',
    ],
  },
  {
    id: 'find',
    title: 'Find a patient, appointment or screen',
    steps: [
      'Press Ctrl K (⌘ K on a Mac) on any screen.',
      'Type a part of the name, the date of birth, the phone number, or the first characters of an id. Typing errors are fine.',
      'Choose with the arrow keys and press Enter.',
    ],
  },
  {
    id: 'patient',
    title: 'Add or correct a patient',
    steps: [
      'Open Patients and choose Add Patient. Possible duplicates are shown before it is saved.',
      'To correct something, open the patient and choose Edit.',
      'If a colleague changed the same patient, both changes are shown before anything is saved.',
    ],
    picture: { name: 'patient', alt: 'The details of a patient' },
  },
  {
    id: 'book',
    title: 'Book an appointment',
    steps: [
      'Open Appointments and choose a free slot, or choose Schedule Appointment.',
      'Choose the patient, the type and the provider.',
      'If the slot was taken in the same moment, nothing is booked: the nearest free slots are offered.',
    ],
    picture: { name: 'appointments', alt: 'A day of appointments' },
  },
  {
    id: 'series',
    title: 'Book a series',
    steps: [
      'Book the first appointment and choose Repeats.',
      'Choose how often and until when. Conflicts are listed before anything is booked.',
      'Later, change one appointment or all of the following ones.',
    ],
  },
  {
    id: 'waitlist',
    title: 'Fill a slot that became free',
    steps: [
      'Add patients who would like an earlier appointment to the waitlist.',
      'When an appointment is cancelled, patients who fit are offered for the slot.',
      'Choose one: the booking takes the patient off the waitlist.',
    ],
  },
  {
    id: 'status',
    title: 'Follow patients through the day',
    steps: [
      'In Today’s Schedule, choose the status of an appointment: confirmed, waiting, in progress, completed.',
      'The waiting room counts the minutes.',
      'Screens of colleagues change within a second.',
    ],
  },
  {
    id: 'calendar',
    title: 'See appointments in your own calendar',
    steps: [
      'Open Practice Settings and create a calendar feed.',
      'Add its address to your calendar program. It is private: anyone who has it can read the feed.',
      'End the feed in the settings when it is no longer needed.',
    ],
    picture: { name: 'settings', alt: 'The calendar feeds in the settings' },
  },
  {
    id: 'plan',
    title: 'Change or cancel the plan',
    steps: [
      'Open Subscription in the menu.',
      'Choose Upgrade or Downgrade, or cancel. A cancelled plan runs to the end of the paid month.',
      'Until then, Reactivate keeps it.',
    ],
  },
]

/** `/help`: ten how-tos. The script adds a search; without it, the browser's own search finds everything on the page. */
export function HelpPage() {
  return (
    <TextPage title="Help" lead="Ten short how-tos. Everything else explains itself, or should.">
      <search className="help-search" hidden data-help-search>
        <label htmlFor="help-query">Search the help</label>
        <div className="field">
          <input id="help-query" type="search" autoComplete="off" />
        </div>
        <p role="status" data-help-status />
      </search>
      <nav aria-label="How-tos" className="help-list">
        <ol>
          {howTos.map(({ id, title }) => (
            <li key={id} data-help={id}>
              <a href={`#${id}`}>{title}</a>
            </li>
          ))}
        </ol>
      </nav>
      {howTos.map(({ id, title, steps, picture }) => (
        <section key={id} id={id} className="how-to" data-help={id}>
          <h2>{title}</h2>
          <ol>
            {steps.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
          {picture && <Picture {...picture} />}
        </section>
      ))}
      <section id="contact" className="how-to">
        <h2>Questions that are not answered here</h2>
        <p>
          Every installation of Everchart has an operator, who answers questions about access, data and security.
          Support, at the end of each page, writes to the operator. If it leads here instead, the operator has not given
          an address: please ask the person who gave you the address of this page.
        </p>
      </section>
    </TextPage>
  )
}
