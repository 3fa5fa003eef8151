import type { LanguagePhrases } from './language-phrases.ts';

const ADJECTIVES = '(?:(?:real|live|actual|human|proper|different|another) )*';
const TALK =
  '(?:talk|speak|chat|text|connect|get connected|be connected|be transferred|get in touch|get through|get hold)';
const TO = '(?:to|with|of)';

export const english: LanguagePhrases = {
  smallTalk: {
    greeting:
      'hello anybody|hello anyone|g day|gday|merry christmas|happy new year|happy birthday|merhaba|hej|czesc|ahoj|namaste|shalom|salam|привет|здравствуите|добрыи день|你好|您好|こんにちは|안녕하세요|مرحبا|hi|hello|hey|heya|hiya|hullo|howdy|yo|greetings|good day|good morning|good afternoon|good evening|morning|evening|hi there|hello there|hey there|sup|whats up|what s up|what is up|wassup|nice to meet you|hello world|anybody home|knock knock',
    how_are_you:
      'how are you|how are you doing|how r u|how are u|hru|how is it going|how s it going|hows it going|how do you do|how have you been|how is your day|how s your day|how are things|you ok|are you ok|how are you today|how are you doing today|how do you feel',
    thanks:
      'thanks a bunch|thanks a million|that s great|thats great|that is great|very kind|спасибо|谢谢|ありがとう|감사합니다|شكرا|tesekkurler|dziekuje|tack|thanks|thank you|thx|ty|tysm|tks|cheers|much appreciated|appreciated|many thanks|thanks a lot|thank you very much|thank you so much|thanks so much|thank u|thankyou|i appreciate it|great help|that helped|that was helpful|very helpful|you helped me|that helps|helpful|you are the best|you re the best|you are great|you re great|good bot|well done|good job|great job|i love you|love you',
    goodbye:
      'no thanks|no thank you|i m fine thanks|i m good thanks|we are done|gn|gn8|cheerio|bye|bye bye|goodbye|good bye|see you|see ya|cya|see you later|later|good night|have a nice day|have a good day|have a great day|have a good one|take care|farewell|ciao|that s all|that is all|thats all|that will be all|i have to go|gotta go|i m done|nothing else|no more questions',
    acknowledgement:
      'kk|yup|okey dokey|gotcha|thx for nothing|sorry|sorry wrong chat|wrong chat|my bad|oops|ok|okay|k|okey|oki|cool|great|perfect|nice|awesome|good|fine|alright|all right|got it|i see|understood|sounds good|sure|wow|lol|haha|hahaha|hmm|hm|mhm|aha|oh|ah|super|excellent|wonderful|amazing|makes sense|fair enough|right|test|testing|this is a test|just testing|i am just testing|nothing|never mind|nevermind|no problem|no worries|interesting|good to know|will do|noted|asdf|blah|blah blah|whatever',
    complaint:
      'fuck this|this is stupid|this is bullshit|you re a piece of shit|you are a piece of shit|not what i asked|not what i meant|i don t understand|i do not understand|i don t get it|what|huh|what do you mean|come again|pardon|that makes no sense|this makes no sense|makes no sense|you are not answering|answer my question|answer me|learn english|you are stupid|you re stupid|you are dumb|you re dumb|you are useless|you re useless|you are an idiot|you re an idiot|you suck|this sucks|stupid|stupid bot|dumb bot|useless|useless bot|bad bot|idiot|moron|shut up|fuck|fuck you|fuck off|wtf|shit|bullshit|this is useless|this is ridiculous|that is wrong|that s wrong|thats wrong|this is wrong|wrong answer|wrong|not helpful|that is not helpful|that s not helpful|this is not helpful|that did not help|that didn t help|that does not help|that doesn t help|this does not help|this doesn t help|you don t understand|you do not understand|you don t understand me|you do not understand me|you didn t understand|you are not listening|you are not helping|you re not helping|you didn t answer my question|you did not answer my question|that is not what i asked|that s not what i asked|thats not what i asked|i hate you|i hate this|terrible|horrible|awful|worst bot ever|go to hell|damn|damn it|what the hell|are you stupid|are you kidding|are you kidding me|you are wrong|you re wrong|i am angry|i m angry|i am frustrated|i m frustrated|this is frustrating',
    asks_abilities:
      'tell me a joke|i m bored|i am bored|do you love me|marry me|will you marry me|sing a song|tell me a story|how old are you|where are you|can we talk|let s talk|lets talk|talk to me|let s chat|say something|what s new|surprise me|what can you do|what can you do for me|what do you do|what can i ask|what can i ask you|what can you help with|what can you help me with|how can you help|how can you help me|what do you know|help|help me|can you help|can you help me|could you help me|i need help|i need some help|need help|please help|please help me|i have a question|i have some questions|i have a problem|i have an issue|can i ask you something|can i ask a question|can i ask you a question|may i ask a question|i need assistance|i need support|what is this|what s this|how does this work|how do you work|what are you for|question|menu|start|options|tell me about yourself|what is your purpose',
    asks_maker:
      'who made you|who created you|who built you|who developed you|who programmed you|who trained you|who designed you|who are your creators|who is your creator|who is your maker|who owns you|who do you work for|what company made you|which company made you|where do you come from|where are you from|who is behind you|who wrote you|what model are you|which model are you|what llm are you|which llm are you|are you chatgpt|are you gpt|are you chat gpt|are you openai|are you claude|are you gemini|are you siri|are you alexa|what ai are you|which ai are you|what language model are you',
    asks_if_bot:
      'are you there|you there|is this a human or bot|is this a human or a bot|is this a bot or a human|is this a bot or human|human or robot|are you listening|is anyone there|is anybody there|is someone there|is somebody there|anyone there|anybody there|someone there|somebody there|anyone here|anybody here|is anyone here|is anybody here|hello anyone there|are you a bot|are you bot|are you a robot|are you robot|are you a chatbot|are you an ai|are you ai|are you human|are you a human|are you a human being|are you a person|are you a real person|are you real|are you a real human|are you an actual person|are you a machine|are you alive|are you sentient|are you automated|are you a computer|is this a bot|is this a robot|is this an ai|is this ai|is this automated|is this a chatbot|is this a real person|is this a human|am i talking to a bot|am i talking to a robot|am i talking to a human|am i talking to a person|am i talking to a real person|am i speaking to a human|am i speaking with a human|am i chatting with a bot|am i speaking to a real person|am i speaking with a real person|am i talking with a bot|bot or human|human or bot|bot or person|who are you|what are you|what is your name|what s your name|whats your name|your name|do you have a name|you are a bot|you re a bot|you are a robot|are u a bot|r u a bot|are u human|r u human|are u real',
  },
  fillers:
    'there|please|pls|plz|dear|sir|madam|everyone|everybody|all|guys|folks|friend|mate|man|dude|bot|chatbot|robot|assistant|team|again|so|well|very|much|a lot|then|now|today|again|and|just|really|but|ok|okay|no|yes|yeah|yep|nope|the|my|for your help|for the help|for your time|for that|for everything|for the info|for the information|for your answer|for the answer|for helping|for nothing|for now|to you|you too|too|u|a',
  intensifiers: 'really|realy|actually|just|even|truly|seriously|literally|still|only|rly',
  person: {
    any: `(?:(?:a|an|the|your|some|any|one of your|someone from|somebody from|someone in|somebody in|a member of|with) )*${ADJECTIVES}(?:human being|human|person|people|agents?|operator|representatives?|rep|advisor|adviser|consultant|employees?|colleagues?|someone|somebody|anyone|anybody|staff|staff member|team member|member of staff|support agent|support person|customer service|customer support|customer care|support team|support staff|sales team|support|team|manager|supervisor|boss|owner|sales|billing|accounting|management|service agent|customer service agent|customer service representative|customer service rep|receptionist|service rep)`,
    human: `(?:(?:a|an|the|your|some|any) )?${ADJECTIVES}(?:human being|human|person|agent|operator|representative|live chat|live support|live person|human agent|human support|human help|customer service agent|customer service representative|support agent|customer service|customer support|someone real|somebody real|real people)`,
    requests: [
      `(?:i|we) (?:(?:really|just|only|still|also) )*(?:want|need|wish|would like|d like|would love|would prefer|d prefer|d rather|would rather|wanna|wan na|have|prefer|am trying|m trying|demand|like)(?: to)? ${TALK} ${TO} {person}`,
      `(?:i|we) (?:want|need|would like|d like) {person} to (?:call|contact|help|answer|assist|talk to|speak to|chat with) (?:me|us)`,
      `(?:is it possible|would it be possible|am i able|is there (?:a|any) way|any way|any chance|how) (?:for me )?to ${TALK} ${TO} {person}`,
      `(?:can|could|may|might|will|would|do|should) (?:i|we|you let me) (?:(?:please|maybe|also|just) )*(?:get to )?${TALK} ${TO} {person}`,
      `how (?:do|can|could|would|should) (?:i|we) ${TALK} ${TO} {person}`,
      `(?:(?:can|could|would|will) you )?(?:please )?(?:connect|transfer|put|forward|hand|pass|direct|redirect|switch|patch|refer|escalate|get)(?: (?:me|us|this|it))?(?: (?:over|through))? (?:to|with|in touch with) {person}`,
      `let me ${TALK} ${TO} {person}`,
      `${TALK} ${TO} {person}`,
      `(?:can|could|would|will) {person} (?:please )?(?:help|call|contact|answer|assist|talk to|speak to|chat with|reply to|get back to) (?:me|us)`,
      `(?:i (?:do not|don t) want to (?:talk|speak|chat) (?:to|with) (?:a |the |this )?(?:bot|robot|machine|computer|ai|chatbot))`,
    ],
    shortRequests: [
      `(?:(?:can|could|will|would) (?:you|someone|somebody) )?(?:please )?(?:call|phone|ring) me(?: back)?`,
      `(?:i (?:want|need|would like) )?(?:a )?(?:call ?back|manager|supervisor|help ?desk)`,
      `(?:someone|somebody) from (?:support|sales|the team|your team)`,
      `how (?:do|can|could) (?:i|we) (?:reach|contact|get|call) {human}`,
      `(?:(?:can|could|would|will) you )?(?:please )?(?:get|give|bring|fetch|find|send|call) (?:me )?{human}`,
      `(?:can|could) (?:i|we) (?:please )?(?:get|have|reach|see) {human}`,
      `(?:i|we) (?:(?:really|just) )*(?:want|need|would like|d like|wanna|demand|prefer|would prefer) {human}`,
      `{human}`,
      `(?:is|are) there (?:a |any |some )?{person}(?: (?:here|there|around|available|online|that i can talk to|i can talk to|i can speak to|i can speak with|who can help|to talk to|who can help me))+`,
      `is (?:a person|a human|an agent|a real person) (?:there|here|available|around|online)`,
      `(?:human|person|agent|operator) (?:now|instead)`,
      `(?:speak|talk|chat) (?:human|person|agent)`,
      `(?:no|not|stop) (?:more )?(?:bots?|robots?|machines?) (?:i want )?{human}`,
    ],
    continuations:
      'about|regarding|concerning|because|since|as|who|that|not|instead|for|on|in|at|from|please|now|right|immediately|asap|today|and|to|if|thanks|thank|directly|here|online|or',
  },
};
