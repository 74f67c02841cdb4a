const QUESTIONS = [
  {
    question: 'is it gdpr compliant?',
    answer:
      'it is built for it. deeb holds an email address, a name if the address gives one, goals, focus times, connections and circles. with it go a username and, for safety, the internet addresses and devices people sign in from. for notifications it also holds whom someone waits for and the address of their browser. each person can download everything held about them, and delete the account for good, in settings.',
  },
  {
    question: 'what is tracked?',
    answer:
      'when someone switches deeb on and off, and the minutes in between. until a session ends, also when a device was last touched in deeb, and until when it is meant to go on. the company gets one page about everybody together. no screens, no keystrokes, no location, no content.',
  },
  {
    question: 'how do employees log time?',
    answer:
      'with one switch, on the phone or in the browser. it works offline and catches up later. a forgotten session closes itself after 16 hours.',
  },
  {
    question: 'does it work for remote teams?',
    answer:
      'yes. at home nobody sees the plugs, so the green dot does their work: colleagues who are connected or in the same circle see it within a second.',
  },
  {
    question: 'how long does onboarding take?',
    answer:
      '30 minutes to set up, together. people sign up with their work email and find each other by its domain. it runs in the browser and on the phone.',
  },
]

export function Questions() {
  return (
    <section className="page section columns-4-8">
      <h2 className="heading questions-heading">asked before</h2>
      <div className="questions">
        {QUESTIONS.map(({ question, answer }, index) => (
          <details key={question} open={index === 0} className="question">
            <summary>
              <h3>{question}</h3>
            </summary>
            <p>{answer}</p>
          </details>
        ))}
      </div>
    </section>
  )
}
