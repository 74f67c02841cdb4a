/** Examples of quotes, by role only: nobody said this. */
export const TESTIMONIALS = [
  {
    words: 'i stopped asking ‘got a minute?’ i can see from here that they don’t.',
    role: 'team lead, software company',
  },
  {
    words: 'we argued about quiet rooms for a year. then we tried earplugs.',
    role: 'office manager, engineering firm',
  },
]
