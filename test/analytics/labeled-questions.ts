/** Test questions as visitors write them, grouped by meaning. */
export const labeledQuestions: Readonly<Record<string, readonly string[]>> = {
  'hours in Berlin': [
    'What are your opening hours in Berlin?',
    'opening hours Berlin',
    'Hi! Can you tell me the opening hours in Berlin, please?',
    'Opening hour in Berlin?',
  ],
  'hours in Paris': [
    'What are your opening hours in Paris?',
    'Hello, what are the opening hours in Paris?',
    'opening hours paris',
  ],
  'hours, in German': [
    'Wie sind eure Öffnungszeiten in Berlin?',
    'Hallo, was sind die Öffnungszeiten in Berlin?',
    'Öffnungszeiten Berlin',
  ],
  'hours in Munich, in German': ['Wie sind die Öffnungszeiten in München?', 'Öffnungszeiten München bitte'],
  'reset a password': [
    'How do I reset my password?',
    'How can I reset the password?',
    'reset password',
    'I would like to know how to reset my password, thanks',
  ],
  'delivery to Austria': [
    'How long does delivery to Austria take?',
    'How long do deliveries to Austria take?',
    'How long does the delivery to Austria usually take?',
  ],
  'delivery to Norway': [
    'How long does delivery to Norway take?',
    'Hey, how long would a delivery to Norway take?',
  ],
  'return a damaged bike': [
    'Can I return a damaged bike?',
    'Can I return damaged bikes?',
    'How do I return a damaged bike?',
  ],
  'cancel a subscription': [
    'How do I cancel my subscription?',
    'Can I cancel the subscription?',
    'canceling subscriptions',
  ],
  'cancel a subscription, in German': [
    'Wie kann ich mein Abo kündigen?',
    'Ich möchte mein Abo kündigen',
    'Guten Tag, ich möchte gern mein Abo kündigen.',
  ],
  'error M22': ['What does error code M22 mean?', 'error code M22'],
  'error M23': ['What does error code M23 mean?', 'Error code M23?'],
  'ship a gift, in German': [
    'Kann man Gutscheine online kaufen?',
    'Kann ich einen Gutschein online kaufen?',
    'Gutschein online kaufen',
  ],
  'battery charge': [
    'How long does it take to charge the battery of the cargo bike?',
    'How long does charging the battery of a cargo bike take?',
    'Charge cargo bike battery: how long does it take?',
  ],
};
