import type { ChatWords } from './words/chat-words.ts';
import type { LanguagePhrases } from './language-phrases.ts';

/** The words by which visitors greet and ask for a person, in the form that `splitIntoClauses` returns. */
type FewWords = Pick<ChatWords, 'want' | 'contact' | 'call' | 'me' | 'human' | 'other'> & {
  /** Words for a person of the team in addition to `human`. */
  person: string;
  greeting: string;
  thanks: string;
  goodbye: string;
};

function buildPhrases({ greeting, thanks, goodbye, person, human, ...words }: FewWords): LanguagePhrases {
  return {
    smallTalk: { greeting, thanks, goodbye },
    words: { ...words, human, person: `${human}|${person}` },
    names: '',
    thanksFor: '',
    questionWords: '',
    fillers: '',
    intensifiers: '',
    continuations: '',
  };
}

/** Phrases of small talk in languages in which the bot has no texts of its own. */
export const otherLanguages: readonly LanguagePhrases[] = [
  // Phrases in Russian and Ukrainian, also in Latin letters
  buildPhrases({
    greeting:
      'привет|здравствуите|здравствуй|добрыи день|доброе утро|добрыи вечер|привіт|добрии день|вітаю|privet',
    thanks: 'спасибо|большое спасибо|спасибо большое|благодарю|дякую|дуже дякую|spasibo',
    goodbye: 'пока|до свидания|всего доброго|до побачення|бувайте',
    want: 'хочу|хотел бы|хотела бы|хотелось бы|мне нужен|мне нужна|нужен|нужна|нужно|надо|могу|можно|можете|позовите|позови|позвать|даите|дай|соедините|соедини|переведите|переведи|переключите|прошу|требую|есть|хотів би|хотіла б|потрібен|потрібна|потрібно|можна|покличте|дайте|зєднайте|khochu|hochu|nuzhen|pozovite|daite',
    contact:
      'поговорить|говорить|пообщаться|общаться|связаться|свяжите|связать|соединить|соедините|соедини|переведите|переведи|переключите|подключите|обсудить|написать|чат|поговорити|говорити|спілкуватися|звязатися|переключіть|pogovorit|govorit|svyazatsya',
    call: 'перезвоните|перезвоните|позвоните|перезвонить|позвонить|перезвонит|позвонит|свяжитесь|связаться|напишите|ответьте|передзвоніть|зателефонуите|зателефонувати|перезвони|звяжіться|perezvonite|pozvonite',
    me: 'мне|меня|со мнои|нам|мені|мене|зі мною|mne',
    human:
      'человек|человека|человеком|человеку|живои человек|живого человека|живым человеком|оператор|оператора|оператором|оператору|менеджер|менеджера|менеджером|менеджеру|сотрудник|сотрудника|сотрудником|консультант|консультанта|консультантом|специалист|специалиста|специалистом|агент|агента|агентом|администратор|администратора|администратором|люди|людьми|людина|людину|людиною|живою людиною|працівником|працівника|менеджером|спеціалістом|chelovek|cheloveka|chelovekom|operatora|operatorom',
    person:
      'кто то|кто нибудь|кого нибудь|кем нибудь|кем то|поддержка|поддержкои|поддержку|службои поддержки|кимось|хтось|підтримкою|kem nibud',
    other:
      'я|с|со|к|на|в|и|а|у|бы|б|ли|пожалуиста|сеичас|срочно|же|мы|вы|вас|вашим|ваш|живым|живого|живои|реальным|реального|настоящим|бот|с вами|лучше|просто|уже|по телефону|телефону|будь ласка|зараз|з|із|до|вашого|вашим|ya|s|zhivym|pozhaluista',
  }),
  // Phrases in Polish and Czech
  buildPhrases({
    greeting: 'dzien dobry|czesc|witam|hej|dobry wieczor|siema|dobry den|ahoj|dobry vecer',
    thanks: 'dziekuje|dzieki|dziekuje bardzo|bardzo dziekuje|wielkie dzieki|dekuji|diky|moc dekuji',
    goodbye: 'do widzenia|pa|na razie|do zobaczenia|milego dnia|na shledanou|nashledanou|mejte se',
    want: 'chce|chciałbym|chciałabym|chcialbym|chcialabym|potrzebuje|prosze o|czy moge|moge|mozna|wole|prosze|poprosze|dajcie|chci|chtel bych|chtela bych|potrebuji|mohu|muzu|zadam|chciec',
    contact:
      'rozmawiac|porozmawiac|pogadac|skontaktowac|polaczyc|połaczyc|przełaczyc|przelaczyc|połaczenie|polaczenie|polacz|połacz|polaczcie|przełacz|przelacz|kontakt|rozmowa|rozmowe|mluvit|promluvit|spojit|prepojit|spojte|prepojte|kontaktovat',
    call: 'zadzwonic|zadzwoncie|zadzwon|oddzwonic|oddzwoncie|oddzwon|skontaktowac|skontaktujcie|kontakt|zavolat|zavolejte|kontaktujte|ozvete|oddzwonienie',
    me: 'mnie|mi|ze mna|do mnie|nam|mne|mi zpet|nas',
    human:
      'człowiekiem|człowieka|człowiek|czlowiekiem|czlowieka|czlowiek|zywym człowiekiem|konsultantem|konsultanta|konsultant|konsultantka|pracownikiem|pracownika|doradca|doradcy|operatorem|operatora|operator|agentem|agenta|kierownikiem|kierownika|osoba|prawdziwa osoba|zywa osoba|clovekem|cloveka|operatorovi|zamestnancem|pracovnikem|specialista',
    person:
      'kims|ktos|kogos|kim|obsługa|obsługa klienta|obsluga klienta|wsparciem|biurem|biurem obsługi klienta|nekym|nekdo|podporou',
    other:
      'z|ze|do|na|w|i|czy|sie|prosze|teraz|natychmiast|ja|my|zywym|prawdziwym|prawdziwa|zywa|panstwa|waszym|bym|zeby|aby|telefonicznie|przez telefon|pilnie|moge|moglbym|mogłbym|moglabym|mogłabym|mogli|panstwo|o|byc|jest|z vas|s|se|prosim|ihned|zivym|skutecnym|bych|jestli|tez|po prostu|raczej',
  }),
  // Phrases in Turkish
  buildPhrases({
    greeting: 'merhaba|selam|iyi gunler|gunaydın|gunaydin|iyi aksamlar|slm',
    thanks: 'tesekkurler|tesekkur ederim|cok tesekkurler|cok tesekkur ederim|sagol|sagolun|eyvallah',
    goodbye: 'hosca kal|hoscakal|hoscakalın|gorusuruz|gule gule|iyi geceler|kendine iyi bak',
    want: 'istiyorum|isterim|istiyoruz|lazım|lazim|gerekiyor|miyim|mıyım|mumkun mu|mumkun|lutfen|rica ediyorum|baglayın|baglar mısınız|verin',
    contact:
      'gorusmek|gorusebilir|gorusebilirim|konusmak|konusabilir|konusabilirim|baglanmak|baglan|baglayın|bagla|baglar|baglar mısınız|baglanabilir|aktar|aktarın|iletisime gecmek|iletisim|iletisime|yazısmak|gorusme|sohbet etmek',
    call: 'arayın|arayin|ara|arar mısınız|arar|aramanızı|arasın|arayabilir|arayabilir mi|geri arayın|ulasın|iletisime gecin',
    me: 'beni|bana|bizi|benimle|bize',
    human:
      'insan|insanla|bir insanla|insana|gercek insan|gercek bir insanla|temsilci|temsilciyle|temsilcisi|temsilcisiyle|temsilcisine|temsilciye|musteri temsilcisi|musteri temsilcisiyle|musteri temsilcisine|musteri hizmetleri|musteri hizmetleriyle|musteri hizmetlerine|canlı destek|canlı destege|yetkili|yetkiliyle|yetkiliye|yetkili biriyle|operator|operatorle|calısan|calısanla|danısman|danısmanla|kisiyle',
    person: 'biri|birisi|biriyle|birisiyle|birine|destek|destek ekibi|destek ekibiyle|ekibinizle|ekip',
    other:
      'bir|gercek|canlı|canli|ben|ile|hemen|simdi|lutfen|mi|mı|mu|musunuz|misiniz|mısınız|telefonla|acil|da|de',
  }),
  // Phrases in Swedish, Danish and Norwegian
  buildPhrases({
    greeting: 'hej|hejsan|god morgon|god dag|goddag|god kvall|hei|halla|god morgen|god aften|tjena|hallå',
    thanks: 'tack|tack så mycket|tack sa mycket|tak|mange tak|tusen takk|takk|tusind tak',
    goodbye: 'hej da|hejda|vi ses|farvel|ha det|ha det bra|adjo|ha en bra dag',
    want: 'vill|onskar|skulle vilja|behover|vil|vil gerne|vil gjerne|ville gerne|onsker|trenger|kan jag|kan jeg|far jag|må jeg|ma jeg|ge mig|giv mig|gi meg|hellre|hellere|heller|kunne jeg',
    contact:
      'prata|tala|snakka|chatta|kontakta|kontakt|koppla|kopplas|koppla mig|tale|snakke|chatte|kontakte|ringa|ringe|stille|viderestille|bli satt over|satt over|sett over|komme i kontakt|fa tale',
    call: 'ringa|ring|ringer|kontakta|kontakt|ringe|kontakte|ringa upp|koppla|satt over',
    me: 'mig|oss|meg|os|mej',
    human:
      'manniska|en manniska|person|riktig person|riktig manniska|medarbetare|handlaggare|radgivare|kundtjanst|kundservice|menneske|et menneske|rigtigt menneske|ekte menneske|medarbejder|medarbeider|kundeservice|kundebehandler|agent|operator|chef|chefen|sjef|sjefen',
    person: 'nagon|noen|nogen|support|supporten|supportteam|en fra teamet|en av er|en af jer',
    other:
      'jag|jeg|vi|med|en|et|ett|i|på|pa|till|til|att|at|å|a|kan|ni|du|i|tack|nu|direkt|snart|gerne|gjerne|garna|riktig|rigtig|rigtigt|ekte|levande|levende|från|fra|er|ert|tilbage|tilbake|tillbaka|upp|opp|op|telefon|venligst|vennligst|snalla|hei|hej|fa|få|lieber|bara|bare',
  }),
  // Phrases in Romanian
  buildPhrases({
    greeting: 'buna|buna ziua|salut|buna dimineata|buna seara',
    thanks: 'multumesc|mersi|multumesc mult|multumesc frumos',
    goodbye: 'la revedere|pa|o zi buna',
    want: 'vreau|as vrea|as dori|doresc|am nevoie de|pot|pot sa|prefer|as putea',
    contact: 'vorbesc|vorbi|sa vorbesc|discut|sa discut|discuta|contactez|contacta|contact|legatura',
    call: 'suna|sunati|sunati ma|contactati|contactati ma|suni|sune',
    me: 'ma|mi|mine|ne',
    human:
      'om|un om|persoana|o persoana|persoana reala|operator|un operator|agent|consultant|angajat|coleg|reprezentant|manager',
    person: 'cineva|suport|echipa|serviciul clienti|serviciul de asistenta',
    other:
      'eu|cu|sa|un|o|va|rog|va rog|acum|de|la|din|al|reala|real|puteti|ati putea|poate|direct|telefonic|echipa voastra|dumneavoastra',
  }),
];

/** Matches a request for a person of the team in languages whose words have no spaces between them. */
export const REQUEST_WITHOUT_SPACES =
  /^.{0,12}(?:转人工|轉人工|转接人工|人工客服|人工服务|人工服務|真人客服|真人|人工|客服人员|客服人員|找客服|联系客服|聯絡客服|和人说话|跟人说话|和人聊|オペレーター|担当者|係の人|人間と話|人と話|スタッフと話|有人対応|電話してください|折り返し電話|상담원|상담사|직원과|담당자|사람과 (?:이야기|얘기|대화|통화)|전화해 ?주세요).{0,16}$/u;
/**
 * Matches words that turn a request for a person, in languages without spaces, into a question about something
 * else.
 */
export const QUESTION_WITHOUT_SPACES = /几|多少|哪|怎么|吗.{3}|何時|いくら|どこ|なぜ|いつ|몇|언제|얼마|어디/u;
