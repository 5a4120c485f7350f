import { StartButtons } from '#web/site/parts.tsx'
import { Picture } from '#web/site/picture.tsx'
import { PlanCards } from '#web/site/plan-cards.tsx'

/** Cards of the section Features; the icons are drawn with the line of the logo. */
const cards = [
  {
    href: '/features/ai-insights',
    icon: 'M9.5 18h5M10 21h4M12 3a6.5 6.5 0 0 0-3.7 11.8c.6.5 1.2 1.2 1.2 2V18h5v-1.2c0-.8.6-1.5 1.2-2A6.5 6.5 0 0 0 12 3Z',
    title: 'AI Insights',
    text: 'Unconfirmed appointments, overdue follow-ups, half-empty afternoons. Each hint names the records it rests on, and you decide.',
  },
  {
    href: '/features/smart-scheduling',
    icon: 'M4 9h16M8 3v3M16 3v3M6 5h12a2 2 0 0 1 2 2v11a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2V7a2 2 0 0 1 2-2ZM8.5 14l2.5 2.5L15.5 12',
    title: 'Smart Scheduling',
    text: 'The whole day without scrolling. No slot is taken twice by accident, and a free one finds its patient.',
  },
  {
    href: '/features/intelligent-forms',
    icon: 'M7 3h7l5 5v11a2 2 0 0 1-2 2H7a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2ZM14 3v5h5M9 13h6M9 17h4',
    title: 'Intelligent Forms',
    text: 'Patients fill them in at home. You read three lines instead of six pages before they sit down.',
  },
  {
    href: '#security',
    icon: 'M12 3 5 6v5.5c0 4.4 2.9 7.7 7 9.5 4.1-1.8 7-5.1 7-9.5V6l-7-3ZM8.5 12l2.5 2.5 4.5-4.5',
    title: 'Security',
    text: 'Every change is kept and health data is sealed. Each person sees what their work needs, nothing more.',
  },
  {
    href: '/features/analytics',
    icon: 'M3 17l5-6 4 4 4.6-7M18.5 3.5a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5Z',
    title: 'Analytics',
    text: 'Open any number and see the appointments behind it. What the screen says, the record can show.',
  },
  {
    href: '/features/team-management',
    icon: 'M9 4.5a3.5 3.5 0 1 1 0 7 3.5 3.5 0 0 1 0-7ZM2.5 20c.5-3.6 3-5.5 6.5-5.5s6 1.9 6.5 5.5M16 5a3.5 3.5 0 0 1 0 6.5M18 15c2 .7 3.2 2.4 3.5 5',
    title: 'Team Management',
    text: 'Doctors, nurses, front desk and administrators, each with the right keys from the first day.',
  },
] as const

/** Three scenes of a day in the sample practice; no person is presented as a customer. */
const scenes = [
  [
    'Front desk, 8:05 AM',
    'The phone rings before the coat is off. Two letters find the patient, the free slot is in sight, and it is booked before the caller has found a pen.',
  ],
  [
    'Nurse, 10:30 AM',
    'The tablet opens on the allergy, not on the address. The next patient is already in the waiting room, for four minutes.',
  ],
  ['Doctor, 4:58 PM', 'Ninety seconds: what changed since last time, what is still open. Then eyes on the person.'],
] as const

/** `/` for visitors. */
export function LandingPage() {
  return (
    <>
      <section className="hero">
        <div className="wrap hero-words">
          <h1>The practice’s record that never forgets.</h1>
          <p className="lead">
            Appointments, patients, intake forms and billing on one calm screen. And behind every entry: who wrote it,
            and when.
          </p>
          <StartButtons />
          <p className="small">30-day free trial. Look around with sample patients first, no card needed.</p>
        </div>
        <div className="stage">
          <svg className="line" viewBox="0 0 3840 120" aria-hidden="true">
            <path className="band" d="M0 84H1676l26-50 42 82 26-32H3840V121H0Z" />
            <path d="M0 84H1676l26-50 42 82 26-32H2476" />
            <circle cx="2486" cy="84" r="9" />
          </svg>
          <div className="wrap">
            <Picture
              name="dashboard"
              phone="dashboard-phone"
              alt="The Everchart dashboard: today’s schedule, recent patients and what needs attention"
              isLazy={false}
            />
          </div>
        </div>
      </section>

      <section id="features" className="wrap section">
        <h2>Everything the day asks for</h2>
        <p className="lead">
          Made for a receptionist with a phone at the ear, a nurse between two rooms and a doctor with ninety seconds.
        </p>
        <ul className="features">
          {cards.map(({ href, icon, title, text }) => (
            <li key={href}>
              <a href={href}>
                <svg viewBox="0 0 24 24" aria-hidden="true">
                  <path d={icon} />
                </svg>
                <h3>{title}</h3>
                <p>{text}</p>
              </a>
            </li>
          ))}
        </ul>
      </section>

      <section id="security" className="deep">
        <div className="wrap section split">
          <div>
            <h2>Ask the record what happened.</h2>
            <p className="lead">
              Nothing is overwritten in Everchart. A correction is added to what it corrects, with the person and the
              moment.
            </p>
            <ul className="plain">
              <li>Health data is encrypted with a key for each patient</li>
              <li>Stored entries cannot be altered, not even by the application</li>
              <li>Refused attempts are recorded too</li>
            </ul>
            <p className="actions">
              <a className="button" href="/security">
                How it is protected
              </a>
            </p>
          </div>
          <Picture name="patient" alt="The details of a patient, allergies first" />
        </div>
      </section>

      <section id="testimonials" className="wrap section">
        <h2>Three people, one Friday</h2>
        <div className="scenes">
          {scenes.map(([title, text]) => (
            <article key={title}>
              <h3>{title}</h3>
              <p>{text}</p>
            </article>
          ))}
        </div>
      </section>

      <section id="pricing" className="wrap section">
        <h2>Plain prices</h2>
        <PlanCards heading="h3" />
      </section>
    </>
  )
}
